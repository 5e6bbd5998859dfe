#!/usr/bin/env python3
"""Checks of profflame's page in Chromium, of a page that profflame has made:

    flame.py CHECK PAGE [ARGUMENT ...]

A check does what a person would do, and reads what the page then shows: its own state, its text, a screenshot."""

import base64
import html
import itertools
import json
import math
import os
import re
import sys
import time
import urllib.parse
import xml.etree.ElementTree
import zlib

from browser import Image
from check import check, equal, faults_of_access

CTRL, SHIFT = 2, 8  # as modifiers of keys and of the wheel
PAGES = 2  # the deltaMode of a wheel that turns pages
FOUND = (0x4a, 0x00, 0x72)  # the colour of what a search has found


class Page:
    """PAGE, opened at FRAGMENT."""

    def __init__(self, browser, path, fragment=''):
        self.browser, self.path = browser, path
        browser.open(path, fragment)
        browser.wait('window.profflame && profflame.view.painted')

    def __getattr__(self, name):
        return getattr(self.browser, name)

    def view(self):
        """The state of the page when all that was asked for is drawn."""
        self.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))')
        return self.evaluate('profflame.view')

    def boxes(self, name=None):
        self.view()
        return [b for b in self.evaluate('profflame.boxes') if name is None or b['name'] == name]

    def box(self, name, number=0):
        return sorted(self.boxes(name), key=lambda b: (b['x'], b['y']))[number]

    def point(self, box):
        return box['x'] + box['width'] / 2, box['y'] + 9

    def click_box(self, name, number=0, **how):
        self.click(*self.point(self.box(name, number)), **how)

    def widths(self):
        """Name and sum of each box in sight, from left to right and outside in."""
        return sorted((b['name'], b['sum']) for b in self.boxes())

    def fragment(self):
        return self.evaluate('decodeURIComponent(location.hash)')

    def text(self, selector):
        return self.evaluate(f'document.querySelector({json.dumps(selector)})?.textContent')

    def click_on(self, selector, number=0):
        x, y = self.evaluate(f'''(() => {{
            const element = document.querySelectorAll({json.dumps(selector)})[{number}];
            element.scrollIntoView({{block: 'nearest'}});
            const place = element.getBoundingClientRect();
            return [place.left + place.width / 2, place.top + place.height / 2];
        }})()''')
        self.click(x, y)

    def press(self, *keys, focus='.graph'):
        if focus:
            self.evaluate(f'document.querySelector({json.dumps(focus)}).focus()')
        for key in keys:
            self.key(key)

    def choose(self, text, value):
        """Picks VALUE in the list that is labelled TEXT, as a person does with keys."""
        self.evaluate(f'''[...document.querySelectorAll('label')].find(l => l.textContent.startsWith({json.dumps(text)}))
            .querySelector('select').focus()''')
        for step in ['Home'] + ['ArrowDown'] * 50:
            if self.evaluate('document.activeElement.value') == value:
                return
            self.key(step)
        raise AssertionError(f'{text} has no {value}')

    def wheel_by(self, x, y, delta, mode, key='ctrlKey'):
        """Turns the wheel, with KEY held, by DELTA in units of MODE, as some browsers tell it."""
        self.evaluate(f"document.querySelector('.graph').dispatchEvent(new WheelEvent('wheel', "
                      f"{{clientX: {x}, clientY: {y}, deltaY: {delta}, deltaMode: {mode}, {key}: true, cancelable: true}}))")

    def colour(self, box):
        """The colour at the right end of BOX, where no text is."""
        return self.pixel(box['x'] + box['width'] - 4, box['y'] + 3)


def near(found, expected, slack=1, what=''):
    if abs(found - expected) > slack:
        raise AssertionError(f'{what}: expected {expected}, found {found}')


def has(text, part):
    if part not in (text or ''):
        raise AssertionError(f'no {part!r} in {text!r}')


def wait_fragment(page, text):
    page.wait(f'decodeURIComponent(location.hash) === {json.dumps(text)}', 5)


# --- the page of main;parse;read 100, main;parse;scan 300, main;solve;matmul;dot 400, main;solve;dot 100, idle 100 ---

CALLS = [('dot', 100), ('dot', 400), ('idle', 100), ('main', 900), ('matmul', 400), ('parse', 400), ('read', 100), ('scan', 300), ('solve', 500)]


def check_opens(browser, path):
    page = Page(browser, path)
    equal(page.widths(), CALLS)
    for box in page.boxes():
        near(box['width'], box['sum'] / 1000 * 1200, 0.01, 'width of ' + box['name'])
    rows = {b['name']: b['y'] for b in page.boxes()}
    assert rows['main'] > rows['solve'] > rows['matmul'], 'outermost frames stand at the bottom'
    assert page.colour(page.box('main')) != (255, 255, 255), 'main is painted'
    assert page.pixel(600, 300) == (255, 255, 255), 'nothing above the picture'
    equal(page.evaluate("document.querySelectorAll('script.data, #still').length"), 0, 'the data and the still picture are gone')
    has(page.evaluate("document.querySelector('meta[http-equiv=Content-Security-Policy]').content"), "default-src 'none'")
    equal(page.evaluate("document.querySelectorAll('[style]:not(canvas, .room)').length"), 0)


def check_zoom(browser, path):
    page = Page(browser, path)
    page.click_box('solve')
    near(page.box('solve')['width'], 1200, 0.01)
    near(page.box('main')['width'], 1200, 0.01)
    equal(len(page.boxes('parse')), 0, 'parse is out of sight')
    wait_fragment(page, '#zoom=main;solve')
    page.click_box('matmul', count=2)
    wait_fragment(page, '#zoom=main;solve;matmul')
    page.evaluate('history.back()')
    wait_fragment(page, '#zoom=main;solve')
    near(page.box('solve')['width'], 1200, 0.01, 'going back zooms out')
    page.evaluate('history.back()')
    page.wait("location.hash.length < 2")
    equal(page.widths(), CALLS)
    page.evaluate('history.forward()')
    wait_fragment(page, '#zoom=main;solve')
    page.click_box('main')
    wait_fragment(page, '#zoom=main')
    page.press('0')
    equal(page.widths(), CALLS)
    before = page.box('scan')
    page.wheel(*page.point(before), -400, CTRL)
    page.wait("location.hash.includes('at=')")
    after = page.box('scan')
    near(page.point(after)[0], page.point(before)[0], 1, 'with Ctrl the wheel zooms around the pointer')
    assert after['width'] > 1.5 * before['width']
    middle = page.view()['ranges'][0]
    page.drag(600, page.box('main')['y'] + 5, 500, page.box('main')['y'] + 5)
    page.wait(f"profflame.view.ranges[0][0] > {middle[0]}")
    moved = page.view()['ranges'][0]
    near(moved[0] - middle[0], 100 / 1200 * (middle[1] - middle[0]), 1, 'what is dragged follows the pointer')
    page.press('0', '+')
    page.wait("location.hash.includes('at=')")
    near(page.view()['ranges'][0][1] - page.view()['ranges'][0][0], 500, 1)
    page.press('-', '-')
    page.wait("location.hash.length < 2")
    page.wheel_by(600, 400, -1, PAGES)
    low, high = page.view()['ranges'][0]
    near(high - low, 1000 * math.exp(-0.002 * page.evaluate('view.height')), 1, 'a step of the wheel may be a page')
    page.press('0')
    page.wheel_by(600, 400, -100, 0, 'metaKey')
    near(page.view()['ranges'][0][1] - page.view()['ranges'][0][0], 1000 * math.exp(-0.2), 1, 'with the key of a Mac, too')
    page.wheel_by(600, 400, 100, 0, 'shiftKey')
    moved = page.view()['ranges'][0]
    near(moved[1] - moved[0], 1000 * math.exp(-0.2), 1, 'with Shift it does not zoom')
    near(moved[0], 500 * (1 - math.exp(-0.2)) + 100 / 1200 * 1000 * math.exp(-0.2), 2, 'but moves')
    page.press('0')
    page.wheel_by(600, 400, -10, 0)
    near(page.view()['ranges'][0][1] - page.view()['ranges'][0][0], 1000 * math.exp(-0.1), 1, 'two fingers make small steps')
    page.press('0')
    for at, low, high in (('0-1e-7', 0, 1e-7), ('1e-8-0.5', 1e-8, 0.5), ('2e-9-5e-8', 2e-9, 5e-8)):
        page.evaluate(f"location.hash = '#at={at}'")
        page.wait(f"view.state.at === '{at}'")
        equal(page.view()['ranges'], [[low * 1000, high * 1000]], at)
    page.press('0')
    for _ in range(3):
        page.wheel_by(700, 400, -10, PAGES)
    low, high = page.view()['ranges'][0]
    near(high - low, 1e-9, 1e-12, 'as deep as the wheel goes')
    page.wait("location.hash.includes('at=')")
    near(page.view()['ranges'][0][0], low, 2e-12, 'and the address says it')
    near(page.view()['ranges'][0][1], high, 2e-12)


def check_keys(browser, path):
    page = Page(browser, path)
    selected = lambda: page.view()['selected']['title']
    page.press('ArrowUp')
    equal(selected(), 'main', 'the first key goes to the widest box')
    for key, name in [('ArrowUp', 'solve'), ('ArrowLeft', 'parse'), ('ArrowUp', 'scan'), ('ArrowLeft', 'read'), ('ArrowDown', 'parse'), ('ArrowRight', 'solve')]:
        page.press(key)
        equal(selected(), name, key)
    has(page.text('[aria-live]'), 'solve, level 2')
    page.press('Enter')
    wait_fragment(page, '#zoom=main;solve')
    page.press('Escape')
    wait_fragment(page, '#zoom=main')
    page.press('Escape')
    page.wait("location.hash.length < 2")
    page.press('i')
    equal(page.view()['state']['layout'], 'icicle')
    rows = {b['name']: b['y'] for b in page.boxes()}
    assert rows['main'] < rows['solve'] < rows['matmul'], 'outermost frames stand at the top'
    page.press('ArrowDown')
    equal(selected(), 'matmul', 'down goes in where the root is above')
    page.press('d')
    has(page.text('aside'), 'main;solve;matmul 400')
    page.press('c')
    equal(page.view()['mode'], 'callers')
    page.press('c')
    equal(page.view()['mode'], 'calls')
    page.press('/')
    equal(page.evaluate('document.activeElement.type'), 'search')


def check_hover(browser, path):
    page = Page(browser, path)
    other = page.box('dot', 0)
    edge = (other['x'] + other['width'] / 2, other['y'] + 1)
    before = page.pixel(*edge)
    x, y = page.point(page.box('dot', 1))
    page.move(x, y)
    status = page.text('.status')
    for part in ('dot', 'self 400', 'total 400', 'of all 40.00', 'of zoom 40.00'):
        has(status, part)
    view = page.view()
    equal((view['hovered']['title'], view['lit']), ('dot', 2), 'all boxes of the name are lit')
    assert page.pixel(*edge) != before, 'the other box has a frame'
    page.move(600, 300)
    equal(page.view()['hovered'], None)
    page.click_box('dot', 1, button='right')
    equal(page.view()['selected']['title'], 'dot', 'the right button selects')
    equal(page.view()['state']['zoom'], '', 'and does not zoom')
    equal(page.evaluate("[...document.querySelectorAll('.popup button')].map(b => b.textContent)"),
          ['Zoom', 'Sandwich', 'Search', 'Focus', 'Ignore', 'Hide', 'Details'])
    page.press('End', 'Enter', focus='')
    equal(page.evaluate("document.querySelector('.popup').hidden"), True, 'what is chosen closes the menu')
    equal(page.evaluate('document.activeElement.className'), 'graph', 'and the keys go to the picture again')
    for part in ('exactly', '400', 'function: total', '500, 50.00', 'main;solve;matmul;dot 400'):
        has(page.text('aside'), part)
    equal(page.evaluate("[...document.querySelectorAll('.path li')].map(li => li.textContent)"), ['main', 'solve', 'matmul', 'dot'])
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.folded'))")
    equal(page.evaluate('String(getSelection()).trim()'), 'main;solve;matmul;dot 400', 'its text can be selected')
    page.allow_copying()
    page.click_on('aside .buttons button:last-child')
    page.wait("document.querySelector('aside').textContent.includes('Copied folded line')")
    equal(page.evaluate('navigator.clipboard.readText()'), 'main;solve;matmul;dot 400')


def check_search(browser, path):
    page = Page(browser, path)
    page.press('/')
    page.type('^DO')
    page.wait("profflame.view.state.search === '^DO'")  # a slow machine searches for its beginnings, too
    has(page.text('#matched'), 'total 50.00\u00a0%, self 50.00\u00a0%')
    near(page.colour(page.box('dot'))[0], FOUND[0], 2, 'what is found has a colour of its own')
    assert page.colour(page.box('scan')) != FOUND
    has(page.fragment(), 'search=^DO')
    page.click_on('[aria-label="Match case"]')
    page.wait("profflame.view.state.case === '1'")
    has(page.text('#matched'), '0 names')
    page.click_on('[aria-label="Match case"]')
    page.press('n')
    equal((page.view()['selected']['title'], page.view()['selected']['sum']), ('dot', 100))
    page.press('n')
    equal(page.view()['selected']['sum'], 400)
    page.press('N')
    equal(page.view()['selected']['sum'], 100)
    page.press('Enter')
    wait_fragment(page, '#zoom=main;solve;dot&search=^DO')
    page.press('Escape')
    has(page.text('#matched'), 'of zoom: total 100.00\u00a0%')
    page.evaluate("location.hash = '#search=x'")
    page.wait("document.querySelector('[type=search]').value === 'x'")
    page.press('/')
    page.type('(')
    page.wait('profflame.view.fault')
    has(page.text('#matched').lower(), 'unterminated')
    equal(page.evaluate("document.querySelector('[type=search]').getAttribute('aria-invalid')"), 'true')
    page.evaluate("ui.search.value = 'half \\ud83d', ui.search.dispatchEvent(new Event('input'))")
    wait_fragment(page, '#search=half \ufffd')


def check_modes(browser, path):
    page = Page(browser, path)
    page.choose('View', 'callers')
    equal(page.widths(), sorted([('dot', 500), ('scan', 300), ('read', 100), ('idle', 100), ('matmul', 400), ('solve', 400), ('solve', 100),
                                 ('parse', 300), ('parse', 100), ('main', 400), ('main', 100), ('main', 300), ('main', 100)]))
    equal([b['name'] for b in sorted(page.boxes(), key=lambda b: b['x']) if b['depth'] == 0], ['dot', 'idle', 'read', 'scan'], 'by name')
    page.click_box('matmul')
    wait_fragment(page, '#mode=callers&zoom=dot;matmul')
    page.press('s')
    wait_fragment(page, '#sandwich=matmul')
    equal(page.widths(), [('dot', 400), ('main', 400), ('matmul', 400), ('solve', 400)])
    rows = {b['name']: b['y'] for b in page.boxes()}
    assert rows['main'] < rows['solve'] < rows['matmul'] < rows['dot'], 'callers above, callees below'
    equal([rows['matmul'] - rows['solve'], rows['dot'] - rows['matmul']], [36, 36], 'with a heading between')
    for y in rows['matmul'] - 13, rows['matmul'] + 23:  # their text
        row = page.image(0, y, 100, 10)
        assert any(row.pixel(x, line) != (255, 255, 255) for x in range(4, 100) for line in range(10))
    assert sum(page.pixel(1, rows['matmul'] + 8)) < 200 < sum(page.pixel(1, rows['dot'] + 8)), 'the function has a frame'
    has(page.text('header'), 'samples: 400, 40.00\u00a0% of 1000')
    has(page.text('.status'), 'matmultotal 400')
    page.move(*page.point(page.box('main')))
    has(page.text('.status'), 'of function 100.00')
    page.press('ArrowDown')
    names = []
    for key in ('ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown'):
        page.press(key)
        names.append(page.view()['selected']['title'])
    equal(names, ['dot', 'matmul', 'solve', 'main', 'solve', 'matmul'], 'keys go through the function')
    page.press('s')
    equal(page.widths(), CALLS)
    page.evaluate("[...document.querySelectorAll('summary')].find(s => s.textContent === 'Look').focus()")
    page.press('Enter', focus='')
    page.choose('Root', 'icicle')
    equal(page.view()['state']['layout'], 'icicle')


def check_fragment(browser, path):
    page = Page(browser, path, '#sandwich=solve&search=d.t&case=1&panel=functions&theme=dark&layout=icicle')
    state = page.view()['state']
    equal([state[key] for key in ('mode', 'sandwich', 'search', 'case', 'panel', 'theme', 'layout')],
          ['sandwich', 'solve', 'd.t', '1', 'functions', 'dark', 'icicle'])
    equal(page.evaluate("document.querySelector('[type=search]').value"), 'd.t')
    page.evaluate("location.hash = '#zoom=main;parse'")
    near(page.wait("profflame.boxes.find(b => b.name === 'parse' && b.width > 1100)?.sum"), 400)
    equal(page.view()['state']['theme'], '')
    page.evaluate("location.hash = '#zoom=main;gone;x&mode=nonsense&at=%zz&unknown=1'")
    page.wait("profflame.view.state.zoom === 'main;gone;x'")
    near(page.box('main')['width'], 1200, 0.01, 'as far along the path as there is one')


def check_panels(browser, path):
    page = Page(browser, path, '#panel=functions')
    names = lambda: page.evaluate("[...document.querySelectorAll('aside td.name')].map(td => td.textContent)")
    equal(names(), ['dot', 'scan', 'idle', 'read', 'main', 'matmul', 'parse', 'solve'])
    page.click_on('aside th button', 2)
    equal(names()[:3], ['main', 'dot', 'solve'])
    equal(page.evaluate("document.querySelector('th[aria-sort]').getAttribute('aria-sort')"), 'descending')
    page.press('Enter', focus='th[aria-sort] button')
    equal(page.evaluate("document.querySelector('th[aria-sort]').getAttribute('aria-sort')"), 'ascending')
    page.press('Enter', focus='th[aria-sort] button')
    x, y = page.evaluate("(r => [r.left + 5, r.top + 5])(document.querySelectorAll('aside tbody tr')[1].getBoundingClientRect())")
    page.move(x, y)
    equal(page.view()['lit'], 2, 'pointing at a row lights its boxes')
    page.click_on('aside td.name a', 1)
    wait_fragment(page, '#sandwich=dot&panel=functions')
    page = Page(browser, path, '#panel=tree')
    focused = lambda: page.evaluate("document.activeElement.querySelector('bdi')?.textContent")
    page.press('ArrowRight', focus='[role=treeitem]')
    page.press('ArrowDown', focus='')
    equal(focused(), 'solve')
    equal(page.view()['selected']['title'], 'solve', 'its box is selected')
    equal(page.evaluate("['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map(a => document.activeElement.getAttribute(a))"),
          ['2', '1', '2', 'false'])
    has(page.evaluate("document.activeElement.getAttribute('aria-label')"), '50.00\u00a0% 500 solve, self 0, total 500, of all 50.00')  # begins with what is seen
    page.press('ArrowRight', 'ArrowRight', focus='')
    equal(focused(), 'matmul')
    page.press('ArrowLeft', 'ArrowLeft', focus='')
    equal(focused(), 'solve')
    equal(page.evaluate("document.activeElement.getAttribute('aria-expanded')"), 'false')
    page.press('End', focus='')
    equal(focused(), 'idle')
    page.press('Home', 'Enter', focus='')
    wait_fragment(page, '#zoom=main&panel=tree')
    equal(page.evaluate("document.querySelectorAll('[role=tree] [tabindex=\"0\"]').length"), 1)
    browser.resize(1200, 150)  # of the rows one has room
    page = Page(browser, path, '#panel=tree')
    page.press('ArrowRight', focus='[role=treeitem]')
    page.press('ArrowDown', 'ArrowRight', 'ArrowDown', focus='')
    equal(focused(), 'matmul')
    assert page.evaluate('ui.graph.scrollTop') <= 18, 'its box is in sight'
    equal(page.text('[aria-live]'), '', 'the item says what it is: once is enough')
    browser.resize(1200, 800)


def check_details(browser, path):
    """Without a selected box the details are of what a link zooms to, or of the function of a sandwich."""
    page = Page(browser, path, '#panel=details')
    has(page.text('aside'), 'Nothing is selected')
    page = Page(browser, path, '#zoom=main;solve&panel=details')
    for part in ('solve', 'function: total', 'main;solve 500'):
        has(page.text('aside'), part)
    page.press('ArrowUp', 'ArrowUp')
    has(page.text('aside'), 'main;solve;matmul 400')
    page = Page(browser, path, '#sandwich=dot&panel=details')
    for part in ('dot', 'function: self', '500, 50.00'):
        has(page.text('aside'), part)


def check_fields(browser, path):
    """The fields below Refine are in a column, and what they hint at fits."""
    page = Page(browser, path)
    page.click_on('.menu summary')
    lefts, cut = page.evaluate("""(fields => {
        const pen = document.createElement('canvas').getContext('2d');
        const isCut = e => (pen.font = getComputedStyle(e).font, pen.measureText(e.placeholder).width > e.clientWidth - parseFloat(getComputedStyle(e).paddingLeft) * 2);
        return [fields.map(e => e.getBoundingClientRect().left), fields.filter(isCut).map(e => e.placeholder)];
    })([...document.querySelectorAll('.menu input')])""")
    equal(len(lefts), 3)
    near(min(lefts), max(lefts), 0.5, 'they begin beside each other')
    equal(cut, [])


def check_columns(browser, path):
    """A page of several types: the tree has room for names beside their sums, and leaves out sums where it has not."""
    for width, sums in ((1440, 4), (880, 1), (400, 1)):
        browser.resize(width, 800)
        page = Page(browser, path, '#panel=tree')
        equal(page.evaluate("[...document.querySelector('[role=treeitem]').querySelectorAll('.sum')].filter(e => e.offsetParent).length"), sums, f'at {width}')
        room = page.evaluate("""document.querySelector('aside').getBoundingClientRect().right -
            document.querySelector('[role=treeitem] bdi').getBoundingClientRect().left""")
        assert room > 150, f'of {width} pixels names have {room}'
        page.press('ArrowRight', focus='[role=treeitem]')
        assert page.evaluate("""(label => {
            const {top, bottom} = label.getBoundingClientRect();
            return [...label.children].filter(e => e.offsetParent).map(e => e.getBoundingClientRect()).every(e => e.top >= top - 0.5 && e.bottom <= bottom + 0.5);
        })(document.activeElement.querySelector('.label'))"""), 'the frame of the item is around all of its columns'
    browser.resize(1440, 800)
    page = Page(browser, path, '#panel=functions')
    wrapped = page.evaluate("[...document.querySelectorAll('aside td.name a')].filter(a => a.getClientRects().length > 1 || a.firstChild.getClientRects().length > 1).map(a => a.textContent)")
    equal(wrapped, [], 'a name takes one line')


def luminance(colour):
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrasts(page):
    """The least contrast of text of the page around the picture."""
    pairs = page.evaluate('''[...document.querySelectorAll('#viewer :is(h1, p, button, select, summary, label, th, td, a, dt, dd)')]
        .filter(e => e.offsetParent && !e.disabled).map(e => {
            let below = e;
            while (getComputedStyle(below).backgroundColor === 'rgba(0, 0, 0, 0)' && below.parentElement) below = below.parentElement;
            return [getComputedStyle(e).color, getComputedStyle(below).backgroundColor].map(c => c.match(/[0-9.]+/g).slice(0, 3).map(Number));
        })''')
    least = 21
    for pair in pairs:
        light, dark = sorted(map(luminance, pair), reverse=True)
        least = min(least, (light + 0.05) / (dark + 0.05))
    return least


def check_endless(browser, path):
    """No expression of a link is searched for without end."""
    for key in 'search', 'focus', 'ignore', 'hide':
        for expression in '(a+)+$', '(?:a|aa){2,}!', 'a*a*a*a*a*!':
            page = Page(browser, path, f'#{key}={urllib.parse.quote(expression)}')
            has(page.evaluate('view.fault + view.refineFaults'), 'repeat')
    page = Page(browser, path, '#search=' + urllib.parse.quote(r'(main|f)?\)+[*+]*m+'))
    equal(page.evaluate('view.fault'), '', 'what is bounded, escaped or in a class')


def check_themes(browser, path):
    browser.media(prefers_color_scheme='dark')
    page = Page(browser, path, '#panel=functions')
    assert sum(page.pixel(600, 300)) < 120, 'dark where that is preferred'
    assert contrasts(page) >= 4.5, 'text can be read in the dark'
    page.evaluate("[...document.querySelectorAll('button')].find(b => b.textContent === 'Light page').click()")
    page.view()
    equal(page.pixel(600, 300), (255, 255, 255), 'the switch')
    assert contrasts(page) >= 4.5, 'text can be read in the light'
    has(page.fragment(), 'theme=light')
    page = Page(browser, path, '#theme=dark&search=scan')
    box = page.box('scan')
    equal(page.colour(box), FOUND)
    edge = page.pixel(box['x'] + box['width'] / 2, round(box['y']))
    assert luminance(edge) > 0.5, f'the edge of what is found differs from dark paper: {edge}'
    page = Page(browser, path, '#theme=dark&mode=sandwich&sandwich=scan')
    row = page.image(0, page.box('scan')['y'] - 18, 80, 18)
    lightest = max(luminance(row.pixel(x, y)) for x in range(80) for y in range(18))
    assert lightest > 0.5, f'the word "callers" is light on dark paper: {lightest}'
    page.media(prefers_color_scheme='light')
    page = Page(browser, path, '#theme=dark')
    assert sum(page.pixel(600, 300)) < 120
    page.media('print')
    page.wait("document.documentElement.className === 'printing'")
    page.view()
    equal(page.pixel(600, 500), (255, 255, 255), 'paper is white')
    equal(page.evaluate("getComputedStyle(document.querySelector('.tools')).display"), 'none')
    equal(page.widths(), CALLS)
    page.media()
    page.wait("document.documentElement.className === ''")
    assert sum(page.pixel(600, 300)) < 120, 'as it was before'
    page.media(forced_colors='active')
    page = Page(browser, path, '#search=scan')
    paper = page.pixel(600, 300)
    equal(page.colour(page.box('main')), paper, 'forced colours: boxes are paper with a line')
    assert page.colour(page.box('scan')) != paper, 'and what is found is not'
    page.media(prefers_reduced_motion='reduce')
    page.click_box('solve')
    equal(page.evaluate('document.getAnimations().length'), 0, 'nothing moves by itself')


def check_screens(browser, path):
    browser.resize(1200, 800, scale=1)
    page = Page(browser, path)
    for scale in (1, 2, 3, 1):
        browser.resize(1200, 800, scale=scale)
        browser.media(prefers_reduced_motion='reduce' if scale == 2 else 'no-preference')  # for Chromium to look at queries again
        page.wait(f"document.querySelector('.stage canvas').width === {1200 * scale}", 5)


def check_narrow(browser, path):
    browser.resize(400, 800, scale=2, touch=True)
    page = Page(browser, path)
    assert page.evaluate('document.documentElement.scrollWidth') <= 400, 'nothing sticks out'
    equal(page.evaluate("document.querySelector('.stage canvas').width"), 800, 'the pixels of the screen')
    tap = lambda: page.tap(page.point(page.box('solve')))
    tap()
    equal(page.view()['selected']['title'], 'solve', 'a tap selects')
    has(page.text('.status'), 'total 500')
    equal(page.view()['state']['zoom'], '')
    tap()
    wait_fragment(page, '#zoom=main;solve')
    page.press('0')
    y = page.box('main')['y'] + 5
    page.pinch([(150, y), (250, y)], [(50, y), (350, y)])
    page.wait("location.hash.includes('at=')")
    low, high = page.view()['ranges'][0]
    near(high - low, 1000 / 3, 5, 'two fingers zoom')
    page.evaluate("location.hash = '#panel=details'")
    page.wait("profflame.view.state.panel === 'details'")
    assert page.evaluate('document.documentElement.scrollWidth') <= 400
    page.evaluate("location.hash = '#panel=functions'")
    page.wait("document.querySelectorAll('aside table').length")
    equal(rows_apart(page), [], 'texts of a row stand beside each other')


def rows_apart(page):
    """The rows of the table beside the picture of which a text is more than 2 pixels above or below its neighbours."""
    return page.evaluate("""[...document.querySelectorAll('aside tbody tr')].filter(tr => {
        const middles = [...tr.cells].filter(td => td.offsetParent && td.textContent.trim()).map(td => {
            const range = document.createRange(), texts = document.createTreeWalker(td, NodeFilter.SHOW_TEXT);
            range.selectNodeContents(texts.nextNode());
            const {top, bottom} = range.getClientRects()[0];
            return (top + bottom) / 2;
        });
        return Math.max(...middles) - Math.min(...middles) > 2;
    }).map(tr => tr.textContent)""")


# --- the page of other 3, and a trunk of 60 frames, t0 to t59: it forks into left 57, and right 40 with 80 frames on it ---

def tall(page):
    """Top and bottom of what the map frames, and of the whole map."""
    return page.evaluate("""['.map .frame', '.map'].flatMap(s => {
        const {top, bottom} = document.querySelector(s).getBoundingClientRect(); return [top, bottom]; })""")


def names(page):
    return [b['name'] for b in page.boxes()]


def check_tall(browser, path):
    browser.resize(880, 600)
    page = Page(browser, path)
    for name in ('t58', 't59', 'left', 'right'):
        assert name in names(page), f'the picture opens where the stacks fork: {name} is there'
    assert 't0' not in names(page)
    before = page.evaluate('ui.graph.scrollTop')
    box = page.box('r5')
    page.wheel(*page.point(box), -90)
    page.wait(f'Math.abs(ui.graph.scrollTop - {before - 90}) < 2', 5)
    near(page.box('r5')['y'] - box['y'], 90, 2, 'the wheel scrolls')
    equal(page.view()['state']['at'], '', 'and does not zoom')
    top, bottom, low, high = tall(page)
    scale = (high - low) / page.evaluate('ui.graph.scrollHeight')
    near(bottom - top, page.evaluate('view.height') * scale, 2, 'the map frames what is in sight')
    near(top - low, page.evaluate('ui.graph.scrollTop') * scale, 2)
    page.click(850, high - 3)
    page.view()
    assert 't0' in names(page), 'the map is clicked at its lower end'
    near(tall(page)[1], high, 2)
    page.press('Home')
    page.view()
    assert page.evaluate('ui.graph.scrollTop') == 0 and 't0' not in names(page), 'keys go to either end'
    assert page.pixel(877, low + 3) != page.pixel(830, low + 3), 'the map has boxes: right is on the right'
    page.press('End')
    page.view()
    assert 't0' in names(page)
    page.evaluate("location.hash = '#zoom=' + [...Array(60).keys()].map(i => 't' + i).join(';') + ';right'")
    page.wait("view.state.zoom !== ''")
    assert 'right' in names(page), 'what an address zooms to is in sight'
    faded, plain = page.colour(page.box('t59')), page.colour(page.box('right'))
    assert min(faded) > min(plain) + 20, f'callers of what is zoomed are faded: {faded}, {plain}'
    page.evaluate("location.hash = '#'")
    page.wait("view.state.zoom === ''")
    page.press('End')
    page.view()
    low = page.evaluate('ui.graph.scrollHeight - ui.graph.scrollTop - ui.graph.clientHeight')
    equal(low, 0)
    for height in (400, 600):
        browser.resize(880, height)
        page.wait(f'innerHeight === {height} && view.height === ui.graph.clientHeight', 5)
        near(page.evaluate('ui.graph.scrollHeight - ui.graph.scrollTop - ui.graph.clientHeight'), 0, 1, 'the root stays in sight')
    browser.resize(400, 600)
    page.wait('view.width < 400', 5)
    equal(page.evaluate("document.querySelector('.map').getBoundingClientRect().top"),
          page.evaluate("document.querySelector('.graph').getBoundingClientRect().top"), 'the map is beside the picture')
    browser.resize(880, 600)
    page.evaluate("location.hash = '#layout=icicle'")
    page.wait("view.state.layout === 'icicle'")
    for name in ('t58', 't59', 'left', 'right'):
        assert name in names(page), f'so does an icicle: {name} is there'
    browser.resize(1200, 800)


def check_fingers(browser, path):
    browser.resize(880, 600, touch=True)
    page = Page(browser, path)
    equal(page.evaluate('view.rowHeight'), 32, 'rows for fingers')
    small = page.evaluate("""[...document.querySelectorAll('#viewer :is(button, select, input, summary)')].filter(e => e.offsetParent)
        .map(e => [e.textContent, e.offsetWidth, e.offsetHeight]).filter(([, width, height]) => width < 32 || height < 32)""")
    equal(small, [], 'and controls for them')
    browser.resize(1200, 800)


def check_manners(browser, path):
    for width in (320, 640, 1200, 2000):
        browser.resize(width, 500)
        page = Page(browser, path)
        for i in range(page.evaluate("document.querySelectorAll('.menu').length")):
            page.press('Enter', focus=f'.tools > .menu:nth-of-type({i + 1}) summary')
            place = page.wait("""(() => {
                const content = document.querySelector('.menu[open] > div'), place = content?.getBoundingClientRect();
                return content && content.style.maxHeight && [place.left, place.top, place.right, place.bottom];
            })()""", 5)
            assert place[0] >= 0 and place[1] >= 0 and place[2] <= width and place[3] <= 500, f'menu {i} at {width}: {place}'
            page.press('Escape', focus='')
            equal(page.evaluate("document.querySelectorAll('.menu[open]').length"), 0)
        assert page.evaluate('document.documentElement.scrollWidth') <= width
        box = page.box('idle')
        page.move(box['x'] + 2, box['y'] + 5)
        tip = page.evaluate("(r => [r.left, r.top, r.right, r.bottom])(document.querySelector('.tip').getBoundingClientRect())")
        assert tip[0] >= 0 and tip[2] <= width and tip[3] <= 500, f'tooltip at {width}: {tip}'
        page.click(box['x'] + 2, box['y'] + 5, button='right')
        menu = page.evaluate("(r => [r.left, r.top, r.right, r.bottom])(document.querySelector('.popup').getBoundingClientRect())")
        assert menu[0] >= 0 and menu[1] >= 0 and menu[2] <= width and menu[3] <= 500, f'menu of a box at {width}: {menu}'
    browser.resize(1200, 800)
    page = Page(browser, path)
    y = page.box('main')['y']
    page.press('/')
    page.type('dot|nothing')
    page.wait('profflame.view.matched')
    equal(page.box('main')['y'], y, "what search has found does not move the picture")
    page.key('f', CTRL)
    equal(page.evaluate('document.activeElement.type'), 'search')
    prevented = """(key => { const event = new KeyboardEvent('keydown', {key, ctrlKey: true, bubbles: true, cancelable: true});
        document.activeElement.dispatchEvent(event); return event.defaultPrevented; })('f')"""
    equal(page.evaluate(prevented), False, 'again, Ctrl+F is the browser\'s')
    page.evaluate('ui.graph.focus()')
    equal(page.evaluate(prevented), True, 'first it searches here')
    equal(page.evaluate('document.activeElement.type'), 'search')
    # the last input
    page = Page(browser, path)
    page.move(*page.point(page.box('scan')))
    has(page.text('.status'), 'scan')
    has(page.text('.tip'), 'total 300')
    x, y = page.point(page.box('scan'))
    left, top, bottom = page.evaluate("(r => [r.left, r.top, r.bottom])(document.querySelector('.tip').getBoundingClientRect())")
    near(left, x + 12, 1, 'the tooltip is at the pointer')
    assert 0 < top - y < 20 or 0 < y - bottom < 20, f'{top} to {bottom}, the pointer at {y}'
    page.press('ArrowUp')
    has(page.text('.status'), 'main')
    equal(page.evaluate("document.querySelector('.tip').hidden"), True, 'a key takes the tooltip away')
    page.move(*page.point(page.box('scan')))
    has(page.text('.status'), 'main')  # a pointer that rests says nothing new, though browsers tell it again
    page.move(*page.point(page.box('idle')))
    has(page.text('.status'), 'idle')
    page.move(600, 300)
    has(page.text('.status'), 'main')
    page.click_box('idle')
    page.press('0')
    page.click_box('parse')
    wait_fragment(page, '#zoom=main;parse')
    equal(page.view()['selected']['title'], 'parse')
    page.evaluate("location.hash = '#zoom=main;solve'")
    page.wait("view.state.zoom === 'main;solve'")
    equal(page.view()['selected'], None, 'what is out of sight is forgotten')
    has(page.text('.status'), 'solve')
    # out, and all
    out = lambda: page.evaluate("[...document.querySelectorAll('button')].find(b => b.textContent === 'Zoom out').click()")
    out()
    wait_fragment(page, '#zoom=main')
    out()
    page.wait("location.hash.length < 2")
    equal(page.evaluate('ui.out.disabled && ui.all.disabled'), True, 'there is nothing to zoom out of')
    page.click_box('solve')
    wait_fragment(page, '#zoom=main;solve')
    y = page.evaluate('ui.graph.getBoundingClientRect().top + (rowOf(view.panes[0], -1) + 0.5) * view.rowHeight - view.top')
    page.move(600, y)
    has(page.text('.tip'), 'alltotal 1000')
    page.click(600, y)
    page.wait("location.hash.length < 2")
    page.press('ArrowDown', 'ArrowUp', 'ArrowDown')
    equal(page.view()['selected']['title'], 'all', 'and keys get there')
    # the menu of a box by keys
    page.press('ArrowUp', 'm')
    equal(page.evaluate('document.activeElement.textContent'), 'Zoom')
    page.press('ArrowDown', focus='')
    equal(page.evaluate('document.activeElement.textContent'), 'Sandwich')
    page.press('Enter', focus='')
    wait_fragment(page, '#sandwich=main')
    for fragment, what in (('#zoom=main;gone;x', 'gone is not here'), ('#type=none', 'no type none'), ('#mode=time', 'no view time'),
                           ('#sandwich=f%20g', 'no function f g'), ('#source=x', 'no source x'), ('#label=k=v', 'no label k=v')):
        page.evaluate(f"location.hash = '{fragment}'")
        page.wait(f"document.querySelector('.notice').textContent.includes('{what}')", 5)
    page.press('0')
    page.evaluate("location.hash = '#zoom=main'")
    page.wait("document.querySelector('.notice').textContent === ''", 5)


# --- any page of folded stacks, held against these ---

def trees(stacks, paths):
    """The sums of all boxes, by path: PATHS says which frames of a stack stand one on the other."""
    sums = {}
    for frames, count in stacks:
        path = paths(frames)
        for depth in range(len(path)):
            key = ';'.join(path[:depth + 1])
            sums[key] = sums.get(key, 0) + count
    return sums


def rows_of(boxes, up):
    """The names in each row, from left to right, of BOXES as (name, x, y); the outermost come first."""
    rows = {}
    for name, x, y in boxes:
        rows.setdefault(round(y), []).append((x, name))
    return [[name for _, name in sorted(rows[y])] for y in sorted(rows, reverse=up)]


def check_order(browser, path, picture):
    """Callers come in the order in which PICTURE, an SVG, has them."""
    page = Page(browser, path, '#mode=callers')
    with open(picture) as file:
        boxes = re.findall(r'<title>(.*?) \(self.*?<rect x="([^"]*)" y="([^"]*)"', file.read())
    expected = rows_of([(html.unescape(name), float(x), float(y)) for name, x, y in boxes], True)
    equal(rows_of([(b['name'], b['x'], b['y']) for b in page.boxes()], True), expected)
    assert len(expected[0]) > 5


# All boxes of the panes, as text: path and sum.
WALK = '''view.panes.map(({chart}) => {
    const sums = {};
    const walk = (a, b, depth, path) => chart.eachChild(a, b, depth, (start, end, hasBox) => {
        if (!hasBox)
            return;
        const own = path + (path && ';') + frameName(chart.frame(start, depth));
        sums[own] = (sums[own] ?? 0) + chart.total(start, end, 0);
        if (chart.start(end - 1, depth) !== start || chart.end(start, depth) !== end)
            sums['the ends of ' + own] = 'wrong';
        walk(start, end, depth + 1, own);
    });
    walk(0, chart.n, 0, '');
    return sums;
})'''


def check_judged(browser, path, folded):
    """Every box of every mode, functions and searches, by sums that are made here of the stacks in FOLDED."""
    with open(folded) as file:
        lines = [line.rsplit(' ', 1) for line in file.read().splitlines()]
    stacks = [(stack.split(';'), int(count)) for stack, count in lines]
    names = sorted({name for frames, _ in stacks for name in frames})
    total = sum(count for _, count in stacks)
    page = Page(browser, path)
    equal(page.evaluate(WALK), [trees(stacks, lambda frames: frames)], 'calls')
    page.press('c')
    equal(page.view()['mode'], 'callers')
    equal(page.evaluate(WALK), [trees(stacks, lambda frames: frames[::-1])], 'callers')
    sums = page.evaluate('(([{self, total}]) => [[...self], [...total], view.profile.names])(functionSums())')
    for name in names:
        holders = [(frames, count) for frames, count in stacks if name in frames]
        number = sums[2].index(name)
        equal(sums[1][number], sum(count for _, count in holders), 'total of ' + name)
        equal(sums[0][number], sum(count for frames, count in holders if frames[-1] == name), 'self of ' + name)
        page.evaluate(f"location.hash = '#sandwich={name}&search=^{name}$&case=1'")
        page.wait(f"view.state.sandwich === '{name}'")
        equal(page.evaluate(WALK), [trees(holders, lambda frames: frames[:frames.index(name) + 1][::-1]),
                                    trees(holders, lambda frames: frames[frames.index(name):])], 'sandwich of ' + name)
        equal(page.evaluate('sumFound(view.panes[0].chart, view.found, 0, view.panes[0].chart.n, 0)'),
              {'total': sums[1][number], 'self': sums[0][number]}, 'search for ' + name)
    for mode in ('calls', 'callers'):
        page.evaluate(f"location.hash = '#mode={mode}&search=^f2x$'")
        page.wait(f"view.state.mode === '{mode}'")
        # thin boxes are found where the frames of their items say so, and nowhere else, also when splits have moved them
        wrong = page.evaluate('''(() => {
            makePanes(); // of which nothing is split yet
            const {chart} = view.panes[0], marks = chart.marks = new Marks(chart, view.found);
            let wrong = 0;
            ''' + WALK + ''';
            for (let a = 0; a < chart.n; a += 37)
                for (let depth = 0; depth < chart.maxDepth; depth++) {
                    let isAny = false;
                    for (let i = a; i < Math.min(chart.n, a + 150); i++)
                        isAny ||= chart.depth[i] > depth && view.found.isFrame[chart.frame(i, depth)] === 1;
                    wrong += marks.any(a, Math.min(chart.n, a + 150), depth) !== isAny;
                }
            return wrong;
        })()''')
        equal(wrong, 0, 'marks of thin boxes')
    equal(page.view()['all'], [total])


def check_colours(browser, path, *pictures):
    """The colours of functions are those of the still picture in each palette: PICTURES are named palette.svg."""
    page = Page(browser, path)
    for picture in pictures:
        palette = picture.rsplit('/', 1)[-1].removesuffix('.svg')
        with open(picture) as file:
            fills = {(html.unescape(name), fill) for name, fill in
                     re.findall(r'<title>([^<]*) \(self [^<]*</title><rect [^>]*fill="(#[0-9a-f]{6})"', file.read())}
        assert len(fills) > 5, f'{picture} has boxes'
        ours = page.evaluate(f'''[...view.profile.frameName.keys()].map(frame =>
            [frameName(frame), colourOf({json.dumps(palette)}, frameName(frame), kinPlace({json.dumps(palette)}, frame))])''')
        equal(fills - {tuple(pair) for pair in ours}, set(), palette)


def check_refined(browser, path, fragment, folded, mode):
    """The boxes of MODE at FRAGMENT are those of the stacks in FOLDED, as proffilter has made them."""
    with open(folded) as file:
        stacks = [(line.rsplit(' ', 1)[0].split(';'), int(line.rsplit(' ', 1)[1])) for line in file.read().splitlines()]
    page = Page(browser, path, f'{fragment}&mode={mode}')
    equal(page.view()['mode'], mode)
    expected = trees(stacks, lambda frames: frames[::-1] if mode == 'callers' else frames)
    found = {}
    for sums in page.evaluate(WALK):
        for key, value in sums.items():
            found[key] = found.get(key, 0) + value
    equal({key: value for key, value in found.items() if value}, expected)


def check_refine(browser, path):
    page = Page(browser, path, '#focus=matmul')
    equal(page.widths(), [('dot', 400), ('main', 400), ('matmul', 400), ('solve', 400)])
    has(page.text('header'), 'samples: 400, 40.00\u00a0% of 1000')
    page.evaluate("location.hash = '#ignore=^idle$|parse'")
    page.wait("view.state.ignore !== ''")
    equal(page.widths(), [('dot', 100), ('dot', 400), ('main', 500), ('matmul', 400), ('solve', 500)])
    page.evaluate("location.hash = '#hide=name:matmul'")
    page.wait("view.state.hide !== ''")
    equal(page.widths(), [('dot', 500), ('idle', 100), ('main', 900), ('parse', 400), ('read', 100), ('scan', 300), ('solve', 500)])
    page.evaluate("location.hash = '#hide=dot|matmul&search=^solve$'")
    page.wait("view.state.search !== ''")
    has(page.text('#matched'), 'total 50.00\u00a0%, self 50.00')
    page.evaluate("location.hash = '#hide=file:matmul'")
    page.wait("view.state.search === ''")
    equal(page.widths(), CALLS, 'that is no file')
    page.evaluate("location.hash = '#hide=idle'")
    page.wait("view.state.hide === 'idle'")
    has(page.text('header'), 'samples: 900, 90.00')  # a stack without frames is gone, as with proffilter
    page.evaluate("location.hash = '#hide=('")
    page.wait("document.querySelector('.notice').textContent.startsWith('hide: ')")
    equal(page.widths(), CALLS, 'what is no expression has no effect')
    equal(page.evaluate("document.querySelector('[name=hide]').getAttribute('aria-invalid')"), 'true')
    page.evaluate("location.hash = '#'")
    page.wait("view.state.hide === ''")
    page.click_box('matmul', button='right')
    page.press('ArrowUp', 'ArrowUp', 'Enter', focus='')
    wait_fragment(page, '#hide=^matmul$')
    page.click_box('solve', button='right')
    page.press('ArrowUp', 'ArrowUp', 'Enter', focus='')
    wait_fragment(page, '#hide=^matmul$|^solve$')
    equal(page.widths(), [('dot', 500), ('idle', 100), ('main', 900), ('parse', 400), ('read', 100), ('scan', 300)])
    page.evaluate("[...document.querySelectorAll('summary')].find(s => s.textContent === 'Refine').focus()")
    page.press('Enter', focus='')
    page.press('Tab', focus='')
    page.type('parse')
    page.press('Enter', focus='')
    wait_fragment(page, '#focus=parse&hide=^matmul$|^solve$')
    equal(page.widths(), [('main', 400), ('parse', 400), ('read', 100), ('scan', 300)])
    equal(page.evaluate("document.querySelector('.menu.on summary').textContent"), 'Refine', 'the menu says that something is refined')
    page.evaluate("[...document.querySelectorAll('button')].find(b => b.textContent === 'Reset').click()")
    page.wait("location.hash.length < 2")
    equal(page.widths(), CALLS)


# --- saving ---

def check_save(browser, path, folder):
    browser.save_in(folder)
    page = Page(browser, path, '#zoom=main;solve')
    click = lambda text: page.evaluate(f"[...document.querySelectorAll('button')].find(b => b.textContent === '{text}').click()")
    click('Save SVG')
    svg = wait_file(os.path.join(folder, 'calls.folded.svg'))
    root = xml.etree.ElementTree.fromstring(svg)
    name = lambda tag: '{http://www.w3.org/2000/svg}' + tag
    boxes = {group.find(name('title')).text.split(':')[0]: group.find(name('rect')) for group in root.iter(name('g')) if group.find(name('title')) is not None}
    equal(sorted(boxes), ['all', 'dot', 'main', 'matmul', 'solve'], 'what is visible')
    fill = boxes['solve'].get('fill')
    near(float(boxes['matmul'].get('width')), 960, 1.1)
    equal(tuple(int(fill[i:i + 2], 16) for i in (1, 3, 5)), page.colour(page.box('solve')))
    equal([element.tag for element in root.iter() if element.tag not in map(name, ('svg', 'g', 'title', 'rect', 'text'))], [])
    click('Save PNG')
    image = Image(wait_file(os.path.join(folder, 'calls.folded.png')))
    equal((image.width, image.height), (1200, 44 + 18 * 5), 'all rows')
    box = page.box('matmul')
    equal(image.pixel(box['x'] + box['width'] - 4, 44 + 18 + 3), page.colour(box), 'the same picture')


def wait_file(path):
    for _ in range(500):
        if os.path.exists(path) and os.path.getsize(path) > 0:
            with open(path, 'rb') as file:
                return file.read()
        time.sleep(0.02)
    raise TimeoutError(f'no file {path}')


# --- an SVG of the same, opened by itself ---

SEEN = '''Object.fromEntries([...document.querySelectorAll('g')].filter(g => g.getAttribute('display') !== 'none').map(g => {
    const rect = g.querySelector('rect'), {x, width} = rect;
    return [g.querySelector('title').textContent.replace(/ .*/, ''),
        [Math.round(x.baseVal.value), Math.round(width.baseVal.value), g.querySelector('text')?.textContent, rect.getAttribute('fill')]];
}))'''


def check_svg(browser, path):
    browser.open(path)
    seen = lambda: browser.evaluate(SEEN)
    said = lambda: browser.evaluate("document.querySelector('.faint').textContent")
    first, text = seen(), said()

    def click(name):
        browser.click(*browser.evaluate(f'''(r => [r.left + r.width / 2, r.top + 5])([...document.querySelectorAll('g')]
            .find(g => g.querySelector('title').textContent.startsWith('{name} ')).querySelector('rect').getBoundingClientRect())'''))

    equal(sorted(first), ['all', 'dot', 'idle', 'main', 'matmul', 'parse', 'read', 'scan', 'solve'])
    browser.key('ArrowUp')
    equal(said(), 'all (1000)', 'keys are for the picture')
    click('solve')
    equal(sorted(seen()), ['all', 'dot', 'main', 'matmul', 'solve'], 'the rest is out of sight')
    equal({name: box[:3] for name, box in seen().items() if name != 'dot'},
          {'all': [10, 860, 'all'], 'main': [10, 860, 'main'], 'solve': [10, 860, 'solve'], 'matmul': [182, 688, 'matmul']})
    browser.key('Escape')
    equal(seen()['solve'][:2], [392, 478], 'main is as wide as the picture')
    browser.key('Escape')
    equal(seen(), first, 'all is as it was')
    click('scan')
    click('all')
    equal(seen(), first)
    browser.key('0')
    for key, name in (('ArrowUp', 'main'), ('ArrowUp', 'solve'), ('ArrowLeft', 'parse'), ('ArrowUp', 'scan'), ('ArrowDown', 'parse'), ('ArrowRight', 'solve')):
        browser.key(key)
        assert said().startswith(name + ' '), f'{key}: {said()}'
    browser.key('Enter')
    equal(seen()['matmul'][:2], [182, 688], 'keys zoom')
    browser.key('0')
    equal(seen(), first)
    browser.key('/')
    browser.type('^DO')
    has(said(), 'found: 50.00 % of all')
    equal({name for name, box in seen().items() if box[3] == '#4a0072'}, {'dot'})
    browser.evaluate("document.querySelector('input').value = 'solve|dot', document.querySelector('input').dispatchEvent(new Event('input'))")
    has(said(), 'found: 50.00 % of all')
    browser.evaluate("document.querySelector('input').value = '(', document.querySelector('input').dispatchEvent(new Event('input'))")
    has(said().lower(), 'unterminated')
    browser.evaluate("document.querySelector('input').value = '', document.querySelector('input').dispatchEvent(new Event('input'))")
    equal((seen(), said()), (first, text))
    place = browser.evaluate("(r => [r.left, r.right])(document.querySelector('input').getBoundingClientRect())")
    title = browser.evaluate("document.querySelector('text').getBoundingClientRect().right")
    assert title < place[0] and place[1] <= 880, f'the title ends at {title}, before the field at {place}'


def check_small_svg(browser, path):
    browser.open(path)
    name = lambda: browser.evaluate(SEEN)['matmul'][2]
    assert name() != 'matmul', 'it has no room for its name'
    browser.evaluate('''[...document.querySelectorAll('g')].find(g => g.textContent.startsWith('matmul')).dispatchEvent(new MouseEvent('click'))''')
    equal(name(), 'matmul', 'zoomed it has')


def check_alike_svg(browser, path):
    """Labels that would look alike in a row are shown once, as drawn and zoomed."""
    browser.open(path)
    texts = lambda: browser.evaluate("""[...document.querySelectorAll('g')].filter(g => g.getAttribute('display') !== 'none')
        .map(g => g.querySelector('text')?.textContent).filter(text => text?.startsWith('ab'))""")
    equal(texts(), ['abcd…yz', 'abc…q'], 'two of three names have a label')
    browser.evaluate("[...document.querySelectorAll('g')].find(g => g.textContent.startsWith('m (')).dispatchEvent(new MouseEvent('click'))")
    found = texts()
    equal(len(found), len(set(found)), f'labels are distinct when zoomed: {found}')
    equal(len(found), 2, f'and there are some: {found}')


def check_hostile_svg(browser, path):
    browser.open(path)
    browser.evaluate('''[...document.querySelectorAll('g')].forEach(g => g.dispatchEvent(new MouseEvent('click')))''')
    browser.evaluate("document.querySelector('input').value = 'e', document.querySelector('input').dispatchEvent(new Event('input'))")
    equal(browser.evaluate('window.harmed'), None)
    equal(browser.evaluate("[document.querySelectorAll('script').length, document.querySelectorAll('img, b').length]"), [1, 0])


def check_embedded(browser, path):
    """PAGE has two pictures, one dark and one light, and things of its own, which stay what they are."""
    browser.open(path)
    style = lambda selector, name: browser.evaluate(f"getComputedStyle(document.querySelector('{selector}')).{name}")
    for selector in ('#own text', '#own .faint', '#own .box', '#own .paper'):
        equal((style(selector, 'fill'), style(selector, 'stroke')), ('rgb(0, 0, 0)', 'none'), selector)
    equal(style('p.faint', 'color'), 'rgb(0, 0, 0)')
    equal([style(f'#{theme} .paper', 'fill') for theme in ('dark', 'light')], ['rgb(22, 22, 22)', 'rgb(255, 255, 255)'])
    equal([style(f'#{theme} .faint', 'fill') for theme in ('dark', 'light')], ['rgb(168, 168, 168)', 'rgb(89, 89, 89)'])
    equal([style(f'#{theme} .on', 'fill') for theme in ('dark', 'light')], ['rgb(26, 26, 26)'] * 2, 'text on boxes')
    equal(browser.evaluate("document.querySelectorAll('script').length"), 0)


# --- the page of rows: two sources, two types, labels, in order (see rows below) ---

def check_choices(browser, path):
    page = Page(browser, path)
    equal(page.widths(), [('f', 50000000), ('g', 30000000), ('main', 80000000)])
    has(page.text('header'), 'cpu: 80.00 ms')
    page.move(*page.point(page.box('f')))
    has(page.text('.status'), 'total 50.00 ms')
    has(page.text('.status'), 'dir/f.c:7')
    page.choose('Values', 'alloc')
    equal(page.widths(), [('f', 2048), ('g', 6144), ('main', 8192)])
    has(page.text('header'), 'alloc: 8.00 kB')
    wait_fragment(page, '#type=alloc')
    page.choose('Values', 'cpu')
    page.click_on('.menu summary', 0)
    page.click_on('.menu[open] input', 1)
    equal(page.widths(), [('f', 30000000), ('main', 30000000)], 'only the first source')
    wait_fragment(page, '#source=one')
    page.click_on('.menu[open] input', 1)
    equal(page.view()['all'], [80000000])
    page.click_on('.menu summary', 1)
    page.choose('thread', 'thread=w%20%3D1')
    equal(page.widths(), [('f', 20000000), ('main', 20000000)], 'only that label')
    page.evaluate("location.hash = '#search=thread|main'")
    page.wait('profflame.view.matched')
    has(page.text('#matched'), '1 name: total 100.00')  # a label is none of the names
    page.evaluate("location.hash = '#mode=time'")
    page.wait("profflame.view.mode === 'time'")
    equal(page.evaluate('view.panes.map(pane => pane.chart.title)'),
          ['one', 'w =1', 'dir/two · from 2023-11-14 22:13:20 UTC'], 'a lane for each thread of each source')
    lanes = [[(b['name'], round(b['x']), round(b['width'])) for b in sorted(page.boxes(), key=lambda b: b['x']) if b['y'] == y]
             for y in sorted({b['y'] for b in page.boxes() if b['depth'] == 1})]
    equal(lanes, [[('f', 0, 240)], [('f', 0, 480)], [('g', 0, 720), ('f', 720, 480)]], 'in the order of time, the longest as wide as the window')
    top = page.evaluate('ui.ruler.getBoundingClientRect().top')
    row = page.image(0, top + 2, 1200, 1)
    equal([x for x in range(0, 1200) if row.pixel(x, 0) != (255, 255, 255)], [*range(0, 1200, 120), 1199], 'ticks of 5 ms')
    page.move(*page.point(page.box('g')))
    has(page.text('.tip'), 'at 15 ms')
    row = page.image(0, top + 2, 1200, 1)
    assert sum(row.pixel(360, 0)) < 200, 'the time under the pointer'
    page.press('ArrowDown')  # a lane, and the next one
    page.click_box('g')
    page.wait("location.hash.includes('at=')")
    near(page.box('g')['width'], 1200, 0.01)
    near(page.box('f')['width'], 400, 0.01, 'all lanes show the same time')
    page.evaluate("location.hash = '#mode=time&search=^g$'")
    page.wait('profflame.view.matched')
    has(page.text('#matched'), 'total 37.50')
    page.press('Escape')
    page.press('0')
    near(page.box('main', 2)['width'], 1200, 0.01)


# --- a page of samples with times: a thread at 0, 10 and 50 ms, and another one at 20 ms, each for 10 ms ---

def check_times(browser, path):
    page = Page(browser, path)
    equal(page.widths(), [('f', 30000000), ('g', 10000000), ('main', 40000000)])
    page.press('t')
    page.wait("profflame.view.mode === 'time'")
    equal(page.evaluate('view.panes.map(pane => pane.chart.title)'), ['a 1', 'b 2'])
    lanes = [[(b['name'], round(b['x']), round(b['width'])) for b in sorted(page.boxes(), key=lambda b: b['x']) if b['y'] == y]
             for y in sorted({b['y'] for b in page.boxes()})]
    equal(sorted(lanes), [[('f', 0, 200), ('g', 200, 200), ('f', 1000, 200)], [('f', 400, 200)],
                          [('main', 0, 400), ('main', 1000, 200)], [('main', 400, 200)]], 'boxes at their times, with a gap')
    page.move(*page.point(page.box('g')))
    has(page.text('.tip'), 'at 15 ms')
    left, top = page.evaluate('[ui.ruler.getBoundingClientRect().left, ui.ruler.getBoundingClientRect().top]')
    page.drag(left + 100, top + 10, left + 500, top + 10)
    wait_fragment(page, '#mode=time&time=5000000-25000000')
    equal(len(page.boxes()), 7, 'all is there to select another time')
    page.press('c', 'c')
    page.wait("profflame.view.mode === 'calls'")
    equal(page.widths(), [('f', 10000000), ('g', 10000000), ('main', 20000000)], 'what began in that time')
    has(page.text('header'), 'cpu-clock: 20.00 ms')
    has(page.text('header'), 'from 5 ms to 25 ms')
    page.press('r')
    wait_fragment(page, '')
    equal(page.widths(), [('f', 30000000), ('g', 10000000), ('main', 40000000)], 'all of the time again')
    page.evaluate("location.hash = '#mode=time&at=0.5-1'")
    page.wait("profflame.view.mode === 'time'")
    page.press('r')
    wait_fragment(page, '#mode=time&time=30000000-60000000&at=0.5-1')
    page.evaluate("location.hash = '#time=30000000-60000000'")
    page.wait("profflame.view.mode === 'calls'")
    equal(page.widths(), [('f', 10000000), ('main', 10000000)])
    page.evaluate("location.hash = '#mode=time&label=comm=b'")
    page.wait("profflame.view.mode === 'time'")
    equal([(b['name'], round(b['x']), round(b['width'])) for b in page.boxes()], [('main', 800, 400), ('f', 800, 400)],
          'other threads are left out')


def check_lanes(browser, path, *names):
    page = Page(browser, path, '#mode=time')
    equal(page.evaluate('view.panes.map(pane => pane.chart.title)'), list(names))


# --- the page of one sample: a frame of a line that 32 bits do not hold, and of a name that folded stacks do not ---

def check_rare(browser, path, line, folded):
    page = Page(browser, path)
    page.click(*page.point(page.boxes()[0]))
    page.press('d')
    has(page.text('aside'), f'a.c:{line}')
    equal(page.text('.folded'), folded, 'as ndjson2folded writes it')
    isDamaged = lambda column: page.evaluate(
        f'(() => {{ try {{ varints(new Uint8Array({column}), 1); }} catch (e) {{ return e instanceof Unreadable; }} return false; }})()')
    equal([isDamaged(column) for column in ([255, 255, 255, 255, 15], [128, 128, 128, 128, 16], [128, 128, 128, 128, 128, 0])],
          [False, True, True], 'what 32 bits do not hold is not cut')


# --- a page of samples that have a label of their own each ---

def check_many(browser, path, count):
    page = Page(browser, path)
    equal(page.evaluate("ui.labelLists[0].list.options.length"), int(count) + 1)
    page.evaluate("location.hash = '#label=request=7'")
    page.wait("view.state.label.length")
    equal(page.view()['all'], [1])
    equal(page.evaluate("ui.labelLists[0].list.value"), 'request=7')
    page.evaluate("location.hash = '#label=request=0'")
    page.wait("view.state.label[0] === 'request=0'")
    equal(page.evaluate("ui.labelLists[0].list.value"), '')


# --- the page of rows: f1 30, f2 -5, two without a stack of 7, f1 -10 ---

def check_below(browser, path):
    page = Page(browser, path)
    equal(page.widths(), [('f1', 20)])
    for part in ('n: 20', '2 samples without a stack left out', '1 sum of stacks below 0 left out'):
        has(page.text('header'), part)
    page.press('t')
    page.wait("profflame.view.mode === 'time'")
    equal(page.widths(), [('f1', 30)], 'each run by itself')
    for part in ('n: 30', '2 sums of streaks below 0 left out'):
        has(page.text('header'), part)
    page.move(*page.point(page.box('f1')))
    has(page.text('.status'), 'of all 100.00')


# --- two sides: f 100, g 100 base; f 100, g 300 new; old 50 only in base ---

def check_sides(browser, path):
    page = Page(browser, path)
    equal(page.widths(), [('f', 100), ('g', 300), ('main', 400)])
    has(page.text('.heading .faint'), 'samples: 400 of new; 250 of base, 20.00\u00a0% of it in stacks that are gone')
    page.move(*page.point(page.box('g')))
    for part in ('new 75.00', 'base 40.00', '+35.00 points'):
        has(page.text('.status'), part)
    page.move(600, 300)
    has(page.text('.scale'), '+35.00 points')
    equal(page.evaluate("document.querySelector('.banner').hidden"), False, 'noise is not known')
    equal(page.text('h1'), 'base.folded (base) → new.folded (new)')
    more, less = page.colour(page.box('g')), page.colour(page.box('f'))
    equal(more, (0xe9, 0xb3, 0x7e), 'colours are pale')
    assert more[0] > more[2] + 50, f'orange is more: {more}'
    assert less[2] > less[0], f'blue is less: {less}'
    page.choose('Width', 'base')
    wait_fragment(page, '#by=base')
    equal(page.widths(), [('f', 100), ('g', 100), ('main', 250), ('old', 50)], 'what has vanished is there by base')
    page.evaluate("location.hash = '#panel=functions'")
    page.wait("document.querySelectorAll('aside table').length")
    has(page.text('aside tbody'), '+35.00')


# --- two sides of three runs: g has grown by much, n is noise ---

def check_noise(browser, path):
    page = Page(browser, path)
    equal(page.colour(page.box('n')), (0xdc, 0xdc, 0xdc), 'noise is grey')
    equal(page.evaluate("document.querySelector('.banner').hidden"), True, 'noise is known')
    assert page.colour(page.box('g')) != (0xdc, 0xdc, 0xdc), 'a change is not'
    page.move(*page.point(page.box('n')))
    has(page.text('.status'), 'not significant')
    page.move(*page.point(page.box('g')))
    has(page.text('.status'), 'function: significant')
    page.evaluate("location.hash = '#source=' + view.profile.header.sources[0].name + '&by=base'")
    page.wait("view.state.source.length")
    page.move(*page.point(page.box('g')))
    assert 'significant' not in page.text('.status'), 'nothing was tested of some of the samples'


# --- names that would do harm ---

def check_hostile(browser, path):
    for fragment in ('', '#panel=functions', '#panel=tree', '#mode=callers&search=.'):
        page = Page(browser, path, fragment)
        for box in page.boxes():
            if box['name']:
                page.click(*page.point(box), button='right')
                page.press('Escape', focus='')
        page.press('0')
    equal(page.evaluate('window.harmed'), None)
    equal(page.evaluate("document.querySelectorAll('#viewer :is(img, script, svg, b b)').length"), 0)
    page = Page(browser, path, '#zoom=<img src=x onerror=harmed=1>%E2%80%AE&source=<b>x</b>%E2%80%AE')
    has(page.text('.notice'), '<img src=x onerror=harmed=1>\ufffd is not here')
    has(page.text('.notice'), 'no source <b>x</b>\ufffd')
    page = Page(browser, path, '#panel=details&search=<img src=x onerror=harmed=1>')
    longest = max(page.boxes(), key=lambda b: len(b['name'] or ''))
    equal(len(longest['name']), 10000)
    page.click(*page.point(longest), button='right')
    assert page.evaluate('document.documentElement.scrollWidth') <= 1200
    assert '\u202e' not in page.evaluate('document.body.innerText'), 'no direction is turned'


# --- lines of source files ---

SCALES = {'s': 1e9, 'ms': 1e6, 'us': 1e3, 'ns': 1, 'GB': 2 ** 30, 'MB': 2 ** 20, 'kB': 2 ** 10, 'B': 1, '': 1}


def same_amount(text, value, what):
    """TEXT, empty for 0, is VALUE in nanoseconds, bytes or a count, as far as it has digits."""
    number, _, unit = text.replace('\u202f', '').partition(' ')
    slack = SCALES[unit] * 0.51 * 10 ** -len(number.partition('.')[2]) if '.' in number else 0.51
    near(float(number or 0) * SCALES[unit], value, slack, what)


def sums_of_lines(samples):
    """Of the samples that profsum writes: by type, file and line, self and total."""
    with open(samples) as file:
        rows = json.load(file)['rows']
    sums = {}
    for row in rows:
        places = [(frame['file'], frame['line']) for frame in row['stack']]
        for key in (key for key in row if key.startswith('value.')):
            of = sums.setdefault(key[len('value.'):].rsplit('/')[0], {})
            for place in set(places):
                self, total = of.get(place, (0, 0))
                of[place] = self + (row[key] or 0) * (place == places[-1]), total + (row[key] or 0)
    return sums


def listed(page):
    """The lines that the page shows: by number, the texts of their cells."""
    rows = page.evaluate("[...document.querySelectorAll('aside tbody tr')].map(tr => [...tr.cells].map(td => td.textContent))")
    return {int(row[0]): row[1:] for row in rows if len(row) > 1}


def check_source(browser, path, samples, folder):
    """The figures of each line are those of SAMPLES, and its text that of the file in FOLDER."""
    expected, page, compared = sums_of_lines(samples), Page(browser, path), 0
    files = page.evaluate("[...document.querySelectorAll('aside option')].map(o => [o.value, o.textContent])")
    for value, text in files:
        page.choose('File', value)
        lines, name = listed(page), text.split('\u00a0% ', 1)[1]
        if not os.path.exists(os.path.join(folder, name)):
            continue  # of the system
        types = page.evaluate("[...document.querySelectorAll('aside thead tr:first-child th')].map(th => th.textContent)")
        with open(os.path.join(folder, name)) as file:
            texts = file.read().split('\n')
        for line, cells in lines.items():
            equal(cells[-1], texts[line - 1], f'{name}:{line}')
            for i, kind in enumerate(types):
                sums = expected[kind].get((name, line), (0, 0))
                for text, sum in zip(cells[2 * i:2 * i + 2], sums):
                    same_amount(text, sum, f'{kind} of {name}:{line}')
                    compared += sum > 0
        others = [kind for kind in expected if kind not in types]
        equal([of for kind in others for of, sums in expected[kind].items() if of[0] == name and any(sums)], [], 'types without columns')
        missing = [of for of in expected[types[0]] if of[0] == name and of[1] not in lines]
        equal(missing, [], f'lines of {name} that are not shown')
    assert compared >= 10, compared


def check_lines(browser, path):
    """The page of main at m.c:2, which calls f at m.c:5 and, at m.c:3, g at no place."""
    page = Page(browser, path)
    current = lambda: page.evaluate("document.querySelector('aside tr[aria-current] button')?.textContent")
    equal(current(), None)
    page.click_box('f')
    equal(current(), '5', 'a box shows its line')
    page.press('ArrowDown')
    equal(current(), '2')
    page.press('0')
    x, y = page.evaluate("(r => [r.left + 5, r.top + 5])(document.querySelectorAll('aside tbody tr')[4].getBoundingClientRect())")
    page.move(x, y)
    equal(page.view()['lit'], 1, 'a line lights its box')
    page.click_on('aside tbody button', 4)
    wait_fragment(page, '#search=line:m.c:5')
    equal(page.view()['matched']['all'], {'self': 30e6, 'total': 30e6})
    equal(page.colour(page.box('f')), FOUND)
    page.click_on('button[data-panel=source]')
    wait_fragment(page, '#search=line:m.c:5&panel=')
    page.click(*page.point(page.box('f')), button='right')
    page.click_on('.popup button', -1 + page.evaluate("[...document.querySelectorAll('.popup button')].findIndex(b => b.textContent === 'Source') + 1"))
    wait_fragment(page, '#search=line:m.c:5')
    equal(current(), '5')
    equal(page.evaluate('window.harmed'), None)
    equal(page.evaluate("document.querySelectorAll('aside :is(img, script, svg, b b)').length"), 0)
    has(listed(page)[4][-1], '</script><img src=x onerror=harmed=1>\ufffd')
    assert '\u202e' not in page.evaluate('document.body.innerText'), 'no direction is turned'
    has(page.text('aside'), '1 file could not be read')
    page.move(*page.point(page.box('f')))
    equal(page.view()['hovered']['title'], 'f:5', 'boxes by line say it')
    browser.resize(400, 800, scale=2, touch=True)
    page = Page(browser, path, '#panel=source')
    assert page.evaluate("document.querySelector('aside').getBoundingClientRect().right") <= 400, 'all of the panel is in the window'
    equal(rows_apart(page), [])


# --- figures of all views ---

SUMS = """(() => {
  const sums = {}, of = name => sums[name] ??= {self: 0, total: 0};
  /* boxes below others of the same function are in their totals already */
  const walk = (chart, a, b, depth, above) => chart.eachChild(a, b, depth, (start, end, hasBox) => {
    if (!hasBox)
      return;
    const name = chart.profile.names[chart.profile.frameName[chart.frame(start, depth)]], sum = of(name);
    sum.self += chart.self(start, end, depth, 0);
    sum.total += above.includes(name) ? 0 : chart.total(start, end, 0);
    walk(chart, start, end, depth + 1, [...above, name]);
  });
  for (const {chart} of view.panes)
    walk(chart, 0, chart.n, 0, []);
  return sums;
})()"""

ENDS = """(({chart}) => {
  const sums = {};
  chart.eachChild(0, chart.n, 0, (start, end, hasBox) => {
    const name = hasBox && chart.profile.names[chart.profile.frameName[chart.frame(start, 0)]];
    sums[name] = (sums[name] ?? 0) + chart.total(start, end, 0);
  });
  return sums;
})(view.panes[0])"""


def check_figures(browser, path, expected):
    """Self and total of functions are those of EXPECTED in each view, and in the table of functions."""
    with open(expected) as file:
        functions = {name: (self, total) for name, self, total in json.load(file)}
    page = Page(browser, path)
    has_time = page.evaluate("[...document.querySelectorAll('option')].some(o => o.value === 'time' && !o.disabled)")
    for mode in ('calls', 'time') if has_time else ('calls',):
        page = Page(browser, path, f'#mode={mode}')
        sums = page.evaluate(SUMS)
        equal({name: (sums[name]['self'], sums[name]['total']) for name in functions}, functions, mode)
    ends = Page(browser, path, '#mode=callers').evaluate(ENDS)
    equal({name: ends.get(name, 0) for name in functions}, {name: self for name, (self, _) in functions.items()}, 'callers')
    table = page.evaluate('((sums, names) => names.map((name, i) => [name, sums.self[i], sums.total[i]]))(functionSums()[0], view.profile.names)')
    equal({name: (self, total) for name, self, total in table if name in functions}, functions, 'functions')
    for name, (_, total) in functions.items():
        page.evaluate('location.hash = ' + json.dumps('#sandwich=' + urllib.parse.quote(name, safe='')))
        page.wait('profflame.view.state.sandwich === ' + json.dumps(name))
        equal(page.evaluate('view.panes.map(pane => pane.chart.total(0, pane.chart.n, 0))'), [total, total], f'sandwich of {name}')


# --- how pages look ---

LOG = """
const drawn = new Map(); /* by canvas, what was painted since it was cleared: fills, texts and lines */
for (const name of ['clearRect', 'fillRect', 'fillText', 'strokeRect']) {
  const paint = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...of) {
    if (name === 'clearRect')
      drawn.set(this.canvas, []);
    else
      drawn.get(this.canvas)?.push({name, of, colour: name === 'strokeRect' ? this.strokeStyle : this.fillStyle, alpha: this.globalAlpha, width: name === 'fillText' ? this.measureText(of[0]).width : 0});
    return paint.apply(this, of);
  };
}"""

LOOKS = """(() => {
  const rgb = text => text.match(/[0-9.]+/g).map(Number), isSeen = colour => rgb(colour)[3] !== 0;
  const found = {texts: [], labels: [], marks: []};
  const paperOf = element => {
    while (element && !isSeen(getComputedStyle(element).backgroundColor))
      element = element.parentElement;
    return element ? rgb(getComputedStyle(element).backgroundColor) : [255, 255, 255];
  };
  /* what of a text is in sight, inside all that cuts it */
  const seen = (node, range) => {
    range.selectNodeContents(node);
    let {left, right, top, bottom} = range.getBoundingClientRect();
    for (let e = node.parentElement; e; e = e.parentElement) {
      const style = getComputedStyle(e), at = e.getBoundingClientRect();
      if (style.clipPath !== 'none')
        return null;
      if (style.overflowX !== 'visible')
        [left, right] = [Math.max(left, at.left), Math.min(right, at.right)];
      if (style.overflowY !== 'visible')
        [top, bottom] = [Math.max(top, at.top), Math.min(bottom, at.bottom)];
      if (style.position === 'fixed')
        break;
    }
    return right - left > 1 && bottom - top > 1 ? {left, right, top, bottom} : null;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node; (node = walk.nextNode());) {
    const element = node.parentElement, at = node.data.trim() && element.checkVisibility() ? seen(node, range) : null;
    if (at && !element.closest('option, script, style, .short'))
      found.texts.push({text: node.data.slice(0, 60), ...at, isOff: Boolean(element.closest(':disabled')),
        ink: rgb(getComputedStyle(element).color), paper: paperOf(element)});
  }
  const canvas = document.querySelector('.stage canvas'), fills = [], paper = paperOf(canvas);
  const painted = [...document.querySelectorAll('.stage canvas')].flatMap(one => drawn.get(one) ?? []);
  for (const {name, of, colour, alpha, width} of painted) {
    const probe = document.createElement('i');
    probe.style.color = colour;
    const parts = rgb(getComputedStyle(document.body.appendChild(probe)).color);
    probe.remove();
    if (name === 'fillRect')
      fills.push({of, colour: parts.map((part, i) => part * alpha + paper[i] * (1 - alpha))});
    else if (name === 'strokeRect') {
      const [x, y] = of.map(place => Math.ceil(place) + 1), below = fills.findLast(({of: [left, top, w, h]}) => left <= x && x < left + w && top <= y && y < top + h);
      found.marks.push({x: of[0], y: of[1], ink: parts, paper: below?.colour ?? paper});
    }
    else {
      const below = fills.findLast(({of: [x, y, w, h]}) => x <= of[1] && of[1] < x + w && y <= of[2] && of[2] < y + h);
      found.labels.push({text: of[0], x: of[1], y: of[2], width, ink: parts, paper: below?.colour ?? paper, end: below ? below.of[0] + below.of[2] : 1e9});
    }
  }
  return {...found, window: innerWidth, top: canvas.getBoundingClientRect().top - document.querySelector('.graph').scrollTop, canvas: canvas.clientWidth, wide: document.documentElement.scrollWidth};
})()"""



def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def overlap(a, b):
    return min(a['right'], b['right']) - max(a['left'], b['left']) > 1 and min(a['bottom'], b['bottom']) - max(a['top'], b['top']) > 3


def faults_of_texts(looks):
    """What is wrong with the text around the picture."""
    texts = looks['texts']
    for i, text in enumerate(texts):
        if contrast(text['ink'], text['paper']) < 4.5 and not text['isOff']:
            yield 'pale', text['text']
        if text['left'] < -0.5 or text['right'] > looks['window'] + 0.5:
            yield 'outside', text['text']
        yield from (('over', text['text'] + ' | ' + other['text']) for other in texts[:i] if overlap(text, other))
    if looks['wide'] > looks['window']:
        yield 'wide', looks['wide']


def faults_of_labels(looks, boxes):
    """What is wrong with the text in boxes.  Alike are two in one row that have the same text and another function."""
    rows = {}
    for label in looks['labels']:
        if contrast(label['ink'], label['paper']) < 4.5:
            yield 'pale', label['text']
        if label['x'] < 0 or label['x'] + label['width'] > min(looks['canvas'], label['end']) + 0.5:
            yield 'outside', label['text']
        rows.setdefault(label['y'], []).append(label)
    for row in rows.values():
        row.sort(key=lambda label: label['x'])
        yield from (('over', a['text']) for a, b in zip(row, row[1:]) if a['x'] + a['width'] > b['x'])
        names = {}
        for label in row:
            for box in boxes:
                if box['name'] and 0 <= label['x'] - box['x'] < box['width'] and 0 <= label['y'] + looks['top'] - box['y'] < 18:
                    names.setdefault(label['text'], set()).add(box['name'])
        yield from (('alike', f'{text}: {of}') for text, of in names.items() if len(of) > 1)


def faults_of_marks(looks):
    """Which marks of boxes are not seen: of two lines, one in the other, one is enough."""
    seen = []
    for mark in looks['marks']:
        contrasts = (mark['x'], mark['y'], contrast(mark['ink'], mark['paper']))
        if seen and 0 <= mark['x'] - seen[-1][0] <= 3 and 0 <= mark['y'] - seen[-1][1] <= 3:
            contrasts = (*contrasts[:2], max(contrasts[2], seen.pop()[2]))
        seen.append(contrasts)
    yield from (('mark', at) for *at, most in seen if most < 3)


def check_access(browser, path, judge, *fragments):
    """What axe-core finds in the views FRAGMENTS."""
    for fragment, width in itertools.product(fragments, (400, 1000)):
        browser.resize(width, 800)
        Page(browser, path, fragment)
        equal(faults_of_access(browser, judge), [], f'{fragment} in {width} pixels')


def check_looks(browser, *paths):
    """Text on colours, in the window, and on nothing else, and marks, in windows of three widths and both themes."""
    browser.call('Page.addScriptToEvaluateOnNewDocument', source=LOG)
    faults, marks, views = [], 0, itertools.product((400, 880, 1440), ('light', 'dark'), ('', None))
    others = itertools.cycle(('&panel=functions', '&panel=tree', '&mode=callers&search=a', '&panel=details&zoom=main', '&mode=time'))
    for path, (width, theme, fragment) in itertools.product(paths, views):
        fragment = next(others) if fragment is None else fragment
        browser.resize(width, 800)
        page = Page(browser, path, f'#theme={theme}{fragment}')
        page.press('ArrowDown', 'ArrowDown')
        boxes, looks = page.boxes(), page.evaluate(LOOKS)
        marks += len(looks['marks'])
        found = [*faults_of_texts(looks), *faults_of_labels(looks, boxes), *faults_of_marks(looks)]
        faults += [(os.path.basename(path), width, theme, fragment, *fault) for fault in found]
    for fault in faults[:40]:
        print(*fault)
    equal(len(faults), 0, 'what is wrong with how pages look')
    assert marks >= len(paths), 'the selected box and what is found are marked'


# --- what cannot be read ---

def check_damaged(browser, path):
    with open(path) as file:
        text = file.read()
    at = text.index('class="data">') + 60
    broken = path + '.broken.html'
    for damage in (text[:at] + 'AAAA' + text[at + 4:], text[:at] + text[at + 40:], text[:at] + '*' + text[at + 1:]):
        with open(broken, 'w') as file:
            file.write(damage)
        browser.open(broken)
        has(browser.wait("document.querySelector('#still [role=status]')?.textContent.includes('damaged') && document.body.textContent"), 'still picture')
        equal(browser.evaluate("document.querySelectorAll('#viewer').length"), 0)
    before, data, behind = re.split(r'(?<=class="data">)([^<]*)', text, maxsplit=1)
    packed = zlib.decompress(base64.b64decode(data))
    told = 0
    for at in (len(packed) // 2, len(packed) * 3 // 4, len(packed) - 3):  # columns inflate, and say what cannot be
        damage = packed[:at] + b'\xff\xff\xff' + packed[at + 3:]
        with open(broken, 'w') as file:
            file.write(before + base64.b64encode(zlib.compress(damage)).decode() + behind)
        browser.open(broken)
        browser.wait("window.profflame && (profflame.view.painted || document.querySelector('#still [role=status]')?.textContent.includes('damaged'))")
        told += browser.evaluate("document.querySelectorAll('#viewer').length") == 0
        assert browser.evaluate("document.querySelectorAll('#viewer, #still:not([hidden])').length") == 1
    assert told > 0
    script = browser.call('Page.addScriptToEvaluateOnNewDocument', source='delete window.DecompressionStream')
    browser.open(path)
    browser.wait("document.querySelector('#still [role=status]')?.textContent.includes('cannot inflate')")
    browser.call('Page.removeScriptToEvaluateOnNewDocument', identifier=script['identifier'])
    browser.call('Emulation.setScriptExecutionDisabled', value=True)
    browser.open(path)
    image = browser.image(0, 0, 1200, 800, 1 / 8)
    colours = {image.pixel(x, y) for x in range(image.width) for y in range(image.height)}
    assert len(colours) > 5, 'without scripts there is a still picture'


def check_odd(browser, path, *what):
    """Pages without anything to draw, or with one sample, or with a stack of 10,000 frames."""
    page = Page(browser, path)
    page.press('s')
    page.view()
    assert 'undefined' not in page.fragment(), 'a sandwich is of a function'
    for mode in ('callers', 'time', 'sandwich', 'calls'):
        page.evaluate(f"location.hash = '#mode={mode}&panel=tree'")
        page.wait(f"profflame.view.state.mode === '{mode}'")
        page.press('ArrowUp', 'Enter', 'Escape', 'n', '+', '0')
        page.move(600, 400)
        page.wheel(600, 400, -100, CTRL)
        page.view()
    for part in what:
        has(page.evaluate('document.body.innerText'), part)


def check_scale(browser, path, *limits):
    """The limits are in milliseconds: from opening to painted, a redraw, a search; what it takes is told."""
    page = Page(browser, path)
    took = {'painted': page.view()['painted']}
    worst = lambda: page.view()['lastLayout'] + page.view()['lastRedraw']
    redraws = []
    for _ in range(6):
        page.wheel(400, 600, -300, CTRL)
        redraws.append(worst())
    for _ in range(6):
        page.wheel(400, 600, 300, CTRL)
        redraws.append(worst())
    page.press('0')
    redraws.append(worst())
    took['redraw'] = max(redraws)
    page.press('/')
    page.type('3')
    page.wait('profflame.view.matched')
    view = page.view()
    took['search'] = view['lastUpdate'] + view['lastRedraw']
    for mode in ('callers', 'sandwich'):
        page.press(mode[0])
        took[mode] = page.view()['lastUpdate'] + page.view()['lastRedraw']
    page.evaluate("location.hash = '#panel=functions'")
    page.wait("document.querySelectorAll('aside table').length")
    took['functions'] = page.view()['lastUpdate']
    print(', '.join(f'{what} {time:.0f} ms' for what, time in took.items()))
    for what, limit in zip(took, limits):
        assert took[what] <= float(limit), f'{what}: {took[what]:.0f} ms, more than {limit}'


if __name__ == '__main__':
    asked = check(globals(), *sys.argv[1:])
    equal([url for url in asked if url.startswith('file:')][1:], [], 'other files that were asked for')
