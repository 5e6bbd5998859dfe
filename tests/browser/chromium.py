"""Drives Chromium over its DevTools pipe: what a person does with a page, and what the page then shows.

Nothing but the standard library: messages are JSON, ended by NUL, on file descriptors 3 (to the browser) and 4."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from browser import TIMEOUT, Browser

KEYS = {'Enter': 13, 'Escape': 27, 'Tab': 9, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40, 'Home': 36, 'End': 35}


class Chromium(Browser):
    """A headless Chromium with one page, and a profile of its own that goes with it."""

    def __init__(self, width=1200, height=800):
        self.folder = tempfile.mkdtemp(prefix='profpipe-browser-')
        command = [shutil.which('chromium') or shutil.which('chromium-browser'), '--headless', '--remote-debugging-pipe',
                   '--user-data-dir=' + self.folder, '--no-first-run', '--disable-gpu', '--hide-scrollbars',
                   '--disable-background-networking', '--disable-component-update', '--disable-sync', f'--window-size={width},{height}']
        if os.geteuid() == 0:
            command.append('--no-sandbox')  # root has no other way
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        self.process = self.start(command, to_read, to_write)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events, self.earlier = b'', 0, [], []
        self.session = None
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(domain + '.enable')
        self.resize(width, height)

    @staticmethod
    def start(command, to_read, to_write):
        def place():  # first out of the way: one may have the number that the other is to get
            low, high = os.dup(to_read), os.dup(to_write)
            spare = [os.dup(low), os.dup(high)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)
        return subprocess.Popen(command, preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self):
        try:
            self.session = None
            self.call('Browser.close')
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- messages ---

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.read(TIMEOUT)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer['result']
            self.events.append(answer)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while b'\0' not in self.buffer:
            if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError('Chromium does not answer')
            data = os.read(self.back, 1 << 20)
            if not data:
                raise EOFError('Chromium has ended')
            self.buffer += data
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def wait_event(self, method):
        while not any(event.get('method') == method for event in self.events):
            self.events.append(self.read(TIMEOUT))

    # --- what a person does ---

    def open(self, path, fragment=''):
        """Opens the file PATH anew, and waits until it is loaded."""
        self.earlier = self.complaints()
        for url in ('about:blank', 'file://' + os.path.abspath(path) + fragment):
            self.events.clear()
            self.call('Page.navigate', url=url)
            self.wait_event('Page.loadEventFired')

    def resize(self, width, height, scale=1, touch=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.call('Emulation.setTouchEmulationEnabled', enabled=touch)

    def media(self, media='', **features):
        self.call('Emulation.setEmulatedMedia', media=media,
                  features=[{'name': name.replace('_', '-'), 'value': value} for name, value in features.items()])

    def move(self, x, y):
        self.call('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)

    def click(self, x, y, count=1, button='left'):
        self.move(x, y)
        for n in range(1, count + 1):
            for kind in ('mousePressed', 'mouseReleased'):
                self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button=button, clickCount=n)

    def drag(self, x, y, to_x, to_y):
        self.call('Input.dispatchMouseEvent', type='mousePressed', x=x, y=y, button='left', clickCount=1)
        for part in (0.5, 1):
            self.call('Input.dispatchMouseEvent', type='mouseMoved', x=x + (to_x - x) * part, y=y + (to_y - y) * part, button='left', buttons=1)
        self.call('Input.dispatchMouseEvent', type='mouseReleased', x=to_x, y=to_y, button='left', clickCount=1)

    def wheel(self, x, y, delta, modifiers=0):
        self.call('Input.dispatchMouseEvent', type='mouseWheel', x=x, y=y, deltaX=0, deltaY=delta, modifiers=modifiers)

    def tap(self, *points):
        self.call('Input.dispatchTouchEvent', type='touchStart', touchPoints=[{'x': x, 'y': y} for x, y in points])
        self.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])

    def pinch(self, before, after):
        """Two fingers: from the points BEFORE to the points AFTER."""
        self.call('Input.dispatchTouchEvent', type='touchStart', touchPoints=[{'x': x, 'y': y, 'id': i} for i, (x, y) in enumerate(before)])
        self.call('Input.dispatchTouchEvent', type='touchMove', touchPoints=[{'x': x, 'y': y, 'id': i} for i, (x, y) in enumerate(after)])
        self.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])

    def allow_copying(self):
        self.call('Browser.grantPermissions', permissions=['clipboardReadWrite', 'clipboardSanitizedWrite'])

    def save_in(self, folder):
        """Lets pages save files in FOLDER without asking."""
        session, self.session = self.session, None
        self.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=os.path.abspath(folder))
        self.session = session

    def key(self, key, modifiers=0):
        text = {'Enter': '\r'}.get(key, key if len(key) == 1 else '')
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
        self.call('Input.dispatchKeyEvent', type='keyDown' if text else 'rawKeyDown', key=key, text=text, windowsVirtualKeyCode=code, modifiers=modifiers)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key, windowsVirtualKeyCode=code, modifiers=modifiers)

    # --- what the page shows ---

    def evaluate(self, expression):
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(result['exceptionDetails'].get('exception', {}).get('description', str(result)))
        return result['result'].get('value')

    def png(self, *place):
        """What is seen, or of that PLACE (x, y, width, height, scale), in base64."""
        clip = {'clip': dict(zip(('x', 'y', 'width', 'height', 'scale'), place))} if place else {}
        return self.call('Page.captureScreenshot', format='png', **clip)['data']

    def complaints(self):
        """What pages complained of: errors and warnings of the console, exceptions, and broken policies."""
        said = list(self.earlier)
        for event in self.events:
            method, params = event.get('method'), event.get('params', {})
            if method == 'Runtime.exceptionThrown':
                said.append(params['exceptionDetails'].get('exception', {}).get('description') or params['exceptionDetails']['text'])
            elif method == 'Runtime.consoleAPICalled' and params['type'] in ('error', 'warning', 'assert'):
                said.append(str([a.get('value') for a in params['args']]))
            elif method == 'Log.entryAdded' and params['entry']['level'] in ('error', 'warning'):
                said.append(params['entry']['text'])
        return list(dict.fromkeys(said))

    def requests(self):
        """The addresses that the page asked for."""
        return [event['params']['request']['url'] for event in self.events if event.get('method') == 'Network.requestWillBeSent']
