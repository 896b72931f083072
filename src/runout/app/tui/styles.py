"""Where things stand on the screen."""

from __future__ import annotations

CSS = """
Screen { layout: vertical; overflow: hidden; }
#title { height: 1; background: $panel; }
#strip { height: 2; margin: 0 1; }
#main { height: 1fr; }
#left { width: 53; padding: 0 0 0 1; }
#heading { height: 1; }
#matrix { height: 13; }
#picker { height: 1fr; margin: 1 0; }
#list { height: 1fr; margin: 1 0; }
#notes { height: auto; max-height: 3; margin: 0; }
#right { width: 1fr; padding: 0 0 0 1; }
#ranges { height: 4; }
#actions { height: auto; min-height: 1; margin: 0; }
#selected { height: 1; margin: 1 0 0 0; }
#scroll { height: 1fr; scrollbar-size-vertical: 1; }
#hands { height: auto; }
#mixing { height: auto; }
#kinds { height: auto; margin: 1 0 0 0; text-wrap: nowrap; }
#title, #strip, #heading, #line, #list { text-wrap: nowrap; text-overflow: ellipsis; }
#ranges, #actions, #selected, #hands { text-wrap: nowrap; text-overflow: ellipsis; }
#line { height: 1; background: $panel; }
#prompt { height: 3; }
Footer { height: 1; }
"""
