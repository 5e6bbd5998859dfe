"""Runs the checks of a script in a browser: Chromium, or what the variable BROWSER of the environment names."""

import os

from chromium import Chromium
from firefox import Firefox

BROWSERS = {'chromium': Chromium, 'firefox': Firefox}


def equal(found, expected, what=''):
    if found != expected:
        raise AssertionError(f'{what}\n  expected {expected}\n  found    {found}')


def faults_of_access(browser, judge):
    """What axe-core, the script JUDGE, finds in the page that bars people."""
    with open(judge, encoding='utf-8') as file:
        browser.evaluate(file.read() + '; 0')
    return browser.evaluate("""axe.run().then(({violations}) => violations.map(({impact, id, nodes}) =>
        `${impact}: ${id}: ${nodes.length} such as ${nodes[0].html.slice(0, 200)}`))""")


def check(checks, names, path, *rest):
    """Runs check_NAME of CHECKS, the names of a script, for each of NAMES, with "," between, on the page PATH, which must
    not complain, and ask for nothing but files."""
    browser = BROWSERS[os.environ.get('BROWSER', 'chromium')]()
    try:
        for name in names.split(','):
            checks['check_' + name](browser, path, *rest)
        equal(browser.complaints(), [], 'the page complains')
        equal([url for url in browser.requests() if not url.startswith(('file:', 'about:', 'data:'))], [], 'requests')
        return browser.requests()
    finally:
        browser.close()
