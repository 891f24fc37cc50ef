"""What came of code that means the same, and where it stands now.

A whole analysis is recalled for as long as no file means anything else (``whole_runs``); what is
reported moves with its code (``layouts``).  Where one does, what its texts say of each other
(``import_graphs``) and what the compiler says of them (``compiled_texts``) need not be asked again.
"""
