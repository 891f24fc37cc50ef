"""Family JIT9: jitlint's word on itself.  The engine makes these reports, no event does."""
