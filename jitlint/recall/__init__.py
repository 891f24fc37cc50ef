"""What came of code that means the same, and where it stands now.

A whole analysis is recalled for as long as no file means anything else, or nothing that was asked
of one (``whole_runs``, by what is kept of such questions: ``readings``, ``kept_readings``); what is
reported moves with its code (``layouts``).  Where something was, what its texts say of each other
(``import_graphs``) and what the compiler says of them (``compiled_texts``) need not be asked again.
"""
