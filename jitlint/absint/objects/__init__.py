"""The objects that are made of the project's classes, and what calls on them mean.

From the bottom up; each module imports those above it alone:

=====================  =========================================================================
``configured``         what configuration files set up: defaults are only where these begin
``flagged_choices``    what a flag of an object has chosen, told where the flag is asked again
``module_arguments``   what users give a module of a framework
``kept_functions``     functions that methods make and keep for others
``makers``             host functions that hand out functions
``changed_entries``    which containers they change, by their texts
``unfollowed``         what calls that nobody looks into may have done to an object
``instances``          instances that nobody visibly makes
``construction``       what calling a class makes
``dispatch``           methods and attributes of objects that may be of a subclass
``traced_values``      what a value becomes as the argument of a traced function
``annotated_results``  what a call gives, as the annotation of its result tells
``sketching``          what parameters were seen to hold, for ``jitlint verify``
=====================  =========================================================================
"""
