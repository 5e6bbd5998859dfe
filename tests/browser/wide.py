#!/usr/bin/env python3
"""wide.py WIDTH PAGE SELECTOR: opens PAGE in a window of WIDTH pixels, and says how wide its content is, how many elements
SELECTOR finds that are seen, and the largest of their attributes "width"."""

import sys

from chromium import Chromium

FOUND = """(elements => [document.documentElement.scrollWidth, elements.length,
    Math.max(...elements.map(element => element.getAttribute('width')))].join(' '))(
    [...document.querySelectorAll(%r)].filter(element => element.getClientRects().length))"""

width, page, selector = sys.argv[1:]
browser = Chromium(int(width), 800)
try:
    browser.open(page)
    browser.wait('document.readyState === "complete"')
    print(browser.evaluate(FOUND % selector))
finally:
    browser.close()
