"""Drives Firefox over WebDriver BiDi: what a person does with a page, and what the page then shows.

Nothing but the standard library: messages are JSON, each a text frame of a WebSocket."""

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

from browser import TIMEOUT, Browser

KEYS = {'Enter': '\ue006', 'Escape': '\ue00c', 'Tab': '\ue004', 'End': '\ue010', 'Home': '\ue011', 'ArrowLeft': '\ue012',
        'ArrowUp': '\ue013', 'ArrowRight': '\ue014', 'ArrowDown': '\ue015'}
HELD = {2: '\ue009', 8: '\ue008'}  # Ctrl and Shift: by what callers call them
BUTTONS = {'left': 0, 'right': 2}
UNUSABLE = 77  # the status where there is no Firefox that can be driven
SCHEMES = {'dark': 0, 'light': 1, 'none': 2}

# It asks nothing of any network by itself, and lets tests read the clipboard.
PREFERENCES = {'dom.events.testing.asyncClipboard': True, 'app.normandy.enabled': False, 'app.update.enabled': False,
               'browser.shell.checkDefaultBrowser': False, 'datareporting.policy.dataSubmissionEnabled': False,
               'network.captive-portal-service.enabled': False, 'network.connectivity-service.enabled': False,
               'services.settings.server': 'data:,', 'toolkit.telemetry.enabled': False,
               'browser.startup.homepage': 'about:blank', 'browser.newtabpage.enabled': False,
               'remote.prefs.recommended': True, 'widget.gtk.overlay-scrollbars.enabled': True}


class Socket:
    """A WebSocket to ADDRESS: whole texts out and in."""

    def __init__(self, address):
        host, port, path = re.match(r'ws://([^:/]*):([0-9]*)(/.*)', address).groups()
        self.socket = socket.create_connection((host, int(port)), TIMEOUT)
        self.socket.sendall(f'GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                            'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n'.encode())
        self.buffer = b''
        while b'\r\n\r\n' not in self.buffer:
            self.more()
        answer, self.buffer = self.buffer.split(b'\r\n\r\n', 1)
        if b' 101 ' not in answer.split(b'\r\n')[0]:
            raise RuntimeError(answer.decode())

    def more(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise EOFError('Firefox has ended')
        self.buffer += data

    def take(self, n):
        while len(self.buffer) < n:
            self.more()
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def send(self, text):
        data = text.encode()
        size = bytes([128 | len(data)]) if len(data) < 126 else b'\xfe' + struct.pack('>H', len(data)) if len(data) < 65536 \
            else b'\xff' + struct.pack('>Q', len(data))
        mask = b'mask'  # any four bytes but zeros
        self.socket.sendall(b'\x81' + size + mask + bytes(c ^ mask[i & 3] for i, c in enumerate(data)))

    def receive(self):
        text, is_last = b'', False
        while not is_last:
            first, size = self.take(2)
            if size > 125:
                size = int.from_bytes(self.take(2 if size == 126 else 8), 'big')
            data, is_last = self.take(size), bool(first & 128)
            if first & 15 == 8:
                raise EOFError('Firefox has closed the connection')
            if first & 15 < 3:
                text += data
            else:
                is_last = False  # a ping
        return text.decode()

    def close(self):
        self.socket.close()


def held_keys(modifiers):
    return [key for bit, key in HELD.items() if modifiers & bit]


class Firefox(Browser):
    """A headless Firefox with one page, and a profile of its own that goes with it."""

    def __init__(self, width=1200, height=800):
        self.folder = tempfile.mkdtemp(prefix='profpipe-browser-')
        with open(os.path.join(self.folder, 'user.js'), 'w') as file:
            file.writelines(f'user_pref({json.dumps(key)}, {json.dumps(value)});\n' for key, value in PREFERENCES.items())
        command = [shutil.which('firefox-esr') or shutil.which('firefox'), '--headless', '--no-remote', '--profile', self.folder,
                   '--remote-debugging-port=0', '--remote-allow-system-access']
        self.process = subprocess.Popen(command, env={**os.environ, 'HOME': self.folder}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.events, self.earlier, self.overrides = 0, [], [], {}
        try:
            self.begin()
        except (OSError, EOFError, RuntimeError) as error:  # it does not start here, or is too old
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
            print('Firefox cannot be driven:', error, file=sys.stderr)
            sys.exit(UNUSABLE)
        self.resize(width, height)

    def begin(self):
        self.socket = Socket(f'ws://127.0.0.1:{self.find_port()}/session')
        self.call('session.new', capabilities={})
        self.page = self.call('browsingContext.getTree')['contexts'][0]['context']
        self.window = self.call('browsingContext.getTree', **{'moz:scope': 'chrome'})['contexts'][0]['context']
        self.call('session.subscribe', events=['log.entryAdded', 'network.beforeRequestSent'])

    def find_port(self):
        """Where it listens, which it writes into its profile."""
        path, end = os.path.join(self.folder, 'WebDriverBiDiServer.json'), time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError('it has ended')
            try:
                with open(path) as file:
                    return json.load(file)['ws_port']
            except (OSError, ValueError):
                time.sleep(0.05)
        raise TimeoutError('Firefox does not listen')

    def close(self):
        try:
            self.call('browser.close')
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        self.socket.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- messages ---

    def call(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({'id': self.number, 'method': method, 'params': params}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get('id') == self.number:
                if answer['type'] == 'error':
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer['result']
            self.events.append(answer)

    def evaluate_in(self, context, expression):
        text = f'(async () => JSON.stringify(await ({expression}\n)))()'
        answer = self.call('script.evaluate', expression=text, target={'context': context}, awaitPromise=True, userActivation=False)
        if answer['type'] == 'exception':
            raise RuntimeError(answer['exceptionDetails']['text'])
        return json.loads(answer['result'].get('value', 'null'))

    # --- what a person does ---

    def open(self, path, fragment=''):
        """Opens the file PATH anew, and waits until it is loaded."""
        self.earlier = self.complaints()
        for url in ('about:blank', 'file://' + os.path.abspath(path) + fragment):
            self.events.clear()
            self.call('browsingContext.navigate', context=self.page, url=url, wait='complete')
        self.evaluate_in(self.window, '(window.focus(), gBrowser.selectedBrowser.focus())')
        self.override()

    def resize(self, width, height, scale=1, touch=False):
        """TOUCH says nothing here: who taps touches."""
        self.call('browsingContext.setViewport', context=self.page, viewport={'width': width, 'height': height}, devicePixelRatio=scale)

    def media(self, media='', prefers_color_scheme='none', forced_colors='none', prefers_reduced_motion='no-preference'):
        self.overrides = {'mediumOverride': media, 'prefersColorSchemeOverride': prefers_color_scheme, 'forcedColorsOverride': forced_colors}
        # what is a preference is there when a page opens
        self.evaluate_in(self.window, f'''(() => {{
            Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', {SCHEMES[prefers_color_scheme]});
            Services.prefs.setIntPref('ui.prefersReducedMotion', {int(prefers_reduced_motion == 'reduce')});
        }})()''')
        self.override()

    def override(self):
        """Has the page seen in the medium that was asked for; the next one, which is in a process of its own, is not."""
        self.evaluate_in(self.window, f'Object.assign(gBrowser.selectedBrowser.browsingContext, {json.dumps(self.overrides)}) && 0')

    def act(self, *sources):
        self.call('input.performActions', context=self.page, actions=list(sources))

    def pointer(self, *actions, kind='mouse', name=0):
        return {'type': 'pointer', 'id': f'{kind}{name}', 'parameters': {'pointerType': kind}, 'actions': list(actions)}

    @staticmethod
    def to(x, y):
        return {'type': 'pointerMove', 'x': x, 'y': y}

    def move(self, x, y):
        self.act(self.pointer(self.to(x, y)))

    def click(self, x, y, count=1, button='left'):
        presses = [{'type': kind, 'button': BUTTONS[button]} for kind in ('pointerDown', 'pointerUp')]
        self.act(self.pointer(self.to(x, y), *presses * count))

    def drag(self, x, y, to_x, to_y):
        self.act(self.pointer(self.to(x, y), {'type': 'pointerDown', 'button': 0}, self.to((x + to_x) / 2, (y + to_y) / 2),
                              self.to(to_x, to_y), {'type': 'pointerUp', 'button': 0}))

    def wheel(self, x, y, delta, modifiers=0):
        scroll = {'type': 'scroll', 'x': int(x), 'y': int(y), 'deltaX': 0, 'deltaY': int(delta)}
        held = [{'type': 'key', 'id': 'keys', 'actions': [{'type': 'keyDown', 'value': key}, {'type': 'pause'}, {'type': 'keyUp', 'value': key}]}
                for key in held_keys(modifiers)]
        self.act(*held, {'type': 'wheel', 'id': 'wheel', 'actions': [{'type': 'pause'}] * len(held) + [scroll]})

    def tap(self, *points):
        down_up = [{'type': 'pointerDown', 'button': 0}, {'type': 'pointerUp', 'button': 0}]
        self.act(*(self.pointer(self.to(x, y), *down_up, kind='touch', name=i) for i, (x, y) in enumerate(points)))

    def pinch(self, before, after):
        """Two fingers: from the points BEFORE to the points AFTER."""
        self.act(*(self.pointer(self.to(*p), {'type': 'pointerDown', 'button': 0}, self.to(*q), {'type': 'pointerUp', 'button': 0},
                                kind='touch', name=i) for i, (p, q) in enumerate(zip(before, after))))

    def allow_copying(self):
        """It is a preference."""

    def key(self, key, modifiers=0):
        value, held = KEYS.get(key, key), held_keys(modifiers)
        actions = [{'type': 'keyDown', 'value': k} for k in held + [value]] + [{'type': 'keyUp', 'value': k} for k in [value] + held]
        self.act({'type': 'key', 'id': 'keys', 'actions': actions})

    # --- what the page shows ---

    def evaluate(self, expression):
        return self.evaluate_in(self.page, expression)

    def png(self, *place):
        """What is seen, or of that PLACE (x, y, width, height; scale 1), in base64."""
        clip = {'clip': {'type': 'box', **dict(zip(('x', 'y', 'width', 'height'), place))}} if place else {}
        return self.call('browsingContext.captureScreenshot', context=self.page, **clip)['data']

    def complaints(self):
        """What pages complained of: errors and warnings of the console, exceptions, and broken policies."""
        said = list(self.earlier)
        for event in self.events:
            if event.get('method') == 'log.entryAdded' and event['params']['level'] in ('error', 'warn'):
                said.append(event['params']['text'])
        return list(dict.fromkeys(said))

    def requests(self):
        """The addresses that the page asked for."""
        return [event['params']['request']['url'] for event in self.events if event.get('method') == 'network.beforeRequestSent']
