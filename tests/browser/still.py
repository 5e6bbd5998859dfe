#!/usr/bin/env python3
"""Checks of the pages of profsum, profdiff and profplot in Chromium:

    still.py CHECK PAGE [ARGUMENT ...]

A check does what a person would do, and reads what the page then shows."""

import sys

from check import check, equal, faults_of_access

COLUMN = '''[...document.querySelectorAll('tbody tr')].map(row => row.cells[%d].textContent)'''


def number_of(heading):
    """Which column is called so."""
    return f'[...document.querySelectorAll("thead tr > *")].findIndex(cell => cell.textContent === "{heading}")'


def press(browser, heading):
    """Clicks on a heading; returns in which order it says that rows are now, of all headings."""
    x, y = browser.evaluate(f'''(() => {{
        const place = document.querySelectorAll('thead tr > *')[{number_of(heading)}].querySelector('button').getBoundingClientRect();
        return [place.x + place.width / 2, place.y + place.height / 2];
    }})()''')
    browser.click(x, y)
    return orders(browser)


def orders(browser):
    return browser.evaluate('''Object.fromEntries([...document.querySelectorAll('[aria-sort]')].map(h => [h.textContent, h.getAttribute('aria-sort')]))''')


def column(browser, heading):
    return browser.evaluate(COLUMN % browser.evaluate(number_of(heading)))


def check_access(browser, path, judge):
    browser.open(path)
    for width in (400, 1000):
        browser.resize(width, 800)
        equal(faults_of_access(browser, judge), [], f'in {width} pixels')


def check_sort(browser, path, heading):
    """The column called HEADING is one of numbers, not in their order."""
    browser.open(path)
    before = column(browser, 'name')
    numbers = lambda: [float(text) for text in column(browser, heading)]
    equal(press(browser, heading), {heading: 'descending'}, 'after a click')
    equal(numbers(), sorted(numbers(), reverse=True), 'the largest comes first')
    equal(sorted(column(browser, 'name')), sorted(before), 'all rows are there')
    assert column(browser, 'name') != before, 'another order'
    equal(press(browser, heading), {heading: 'ascending'}, 'after a second click')
    equal(numbers(), sorted(numbers()), 'the smallest comes first')
    equal(press(browser, heading), {}, 'after a third click')
    equal(column(browser, 'name'), before, 'the order that it came in')
    equal(press(browser, 'name'), {'name': 'ascending'}, 'names')
    equal(column(browser, 'name'), sorted(before), 'the first comes first')
    # by keys alone: on from the last heading and back to it
    browser.key('Tab')
    browser.key('Tab', modifiers=8)
    browser.key('Enter')
    equal(orders(browser), {'name': 'descending'}, 'after Enter')
    equal(column(browser, 'name'), sorted(before, reverse=True), 'the last comes first')


def check_empty(browser, path, heading):
    """Cells of HEADING that have nothing in them are last in either order."""
    browser.open(path)
    for _ in range(2):
        press(browser, heading)
        cells = column(browser, heading)
        assert '' in cells and cells[0] != ''
        equal(cells[cells.index(''):], [''] * cells.count(''), 'what is nothing')


def check_apart(browser, path):
    """Rows are moved while they are not in the page, which otherwise looks at all of them for each: a minute for 20,000."""
    browser.open(path)
    were_in = browser.evaluate('''(() => {
        const body = document.querySelector('tbody'), append = body.append, were = [];
        body.append = (...rows) => {
            were.push(body.isConnected);
            append.apply(body, rows);
        };
        document.querySelector('th button').click();
        return were;
    })()''')
    assert were_in and not any(were_in), were_in
    assert browser.evaluate('document.querySelectorAll("tbody tr").length > 1')


def light_of(browser, x=2, y=2):
    return sum(browser.pixel(x, y)) / 3


def check_looks(browser, path):
    """In the light, in the dark, on paper, and narrow."""
    browser.open(path)
    ink = '''getComputedStyle(document.querySelector('tbody td, svg text')).%s.match(/[0-9]+/g).reduce((a, b) => a + +b, 0) / 3'''
    ink %= browser.evaluate('''document.querySelector('tbody td') ? 'color' : 'fill' ''')
    browser.media(prefers_color_scheme='light')
    assert light_of(browser) > 240 and browser.evaluate(ink) < 60, 'light'
    browser.media(prefers_color_scheme='dark')
    assert light_of(browser) < 40 and browser.evaluate(ink) > 200, 'dark'
    browser.media('print', prefers_color_scheme='dark')
    assert light_of(browser) > 240 and browser.evaluate(ink) < 60, 'paper'
    browser.media()
    browser.resize(400, 800)
    width = browser.evaluate('document.scrollingElement.scrollWidth')
    assert width <= 400, f'the page itself is {width} pixels wide'
    check_covered(browser)


def check_covered(browser):
    """Nothing lies on a cell, and sort buttons have different names."""
    covered = browser.evaluate('''[...document.querySelectorAll('tbody td:not(.bar)')].filter(cell => {
        cell.scrollIntoView({block: 'center', inline: 'end'});
        const {left, right, top, bottom} = cell.getBoundingClientRect(), y = (top + bottom) / 2;
        return [left + 1, right - 1].some(x => x > 0 && x < innerWidth && !cell.contains(document.elementFromPoint(x, y)));
    }).map(cell => cell.textContent)''')
    equal(covered, [], 'covered')
    names = browser.evaluate('''[...document.querySelectorAll('th button')].map(b => b.ariaLabel ?? b.textContent)''')
    assert all(names) and len(set(names)) == len(names), names


def check_hostile(browser, path, name):
    """NAME is text, and nothing but."""
    browser.open(path)
    assert name in browser.evaluate('document.body.textContent')
    equal(browser.evaluate('document.images.length'), 0, 'images')
    equal(browser.evaluate('document.body.querySelectorAll("script").length <= 1'), True, 'scripts')


if __name__ == '__main__':
    check(globals(), *sys.argv[1:])
