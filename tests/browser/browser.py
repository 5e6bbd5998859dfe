"""What the drivers of browsers share: waiting, typing, and the pixels of what is seen."""

import base64
import struct
import time
import zlib

TIMEOUT = 60  # seconds until a browser that does not answer counts as hung


class Browser:
    """Who drives one says how to evaluate(), press a key() and take a png()."""

    def type(self, text):
        for c in text:
            self.key(c)

    def wait(self, expression, seconds=TIMEOUT):
        """Waits until EXPRESSION is true, and returns what it is."""
        end = time.monotonic() + seconds
        while True:
            value = self.evaluate(expression)
            if value:
                return value
            if time.monotonic() > end:
                raise TimeoutError(f'never true: {expression}')
            time.sleep(0.01)

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.png()))

    def image(self, x, y, width, height, scale=1):
        """A part of what is seen: small ones are read at once."""
        return Image(base64.b64decode(self.png(int(x), int(y), width, height, scale)))

    def pixel(self, x, y):
        return self.image(x, y, 1, 1).pixel(0, 0)


class Image:
    """The pixels of a PNG of 8 bits, as (red, green, blue)."""

    def __init__(self, data):
        at, packed = 8, b''
        while at < len(data):
            size, kind = struct.unpack('>I4s', data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            if kind == b'IHDR':
                self.width, self.height, _, colours = struct.unpack('>IIBB', body[:10])
                self.step = {2: 3, 6: 4}[colours]
            elif kind == b'IDAT':
                packed += body
            at += 12 + size
        self.rows = self.unfilter(zlib.decompress(packed))

    def unfilter(self, data):
        size, step, before, rows = self.width * self.step, self.step, None, []
        for y in range(self.height):
            kind, line = data[y * (size + 1)], bytearray(data[y * (size + 1) + 1:(y + 1) * (size + 1)])
            above = before or bytearray(size)
            for i in range(size) if kind else ():
                left = line[i - step] if i >= step else 0
                if kind == 1:
                    guess = left
                elif kind == 2:
                    guess = above[i]
                elif kind == 3:
                    guess = (left + above[i]) // 2
                else:
                    guess = paeth(left, above[i], above[i - step] if i >= step else 0)
                line[i] = (line[i] + guess) & 255
            rows.append(line)
            before = line
        return rows

    def pixel(self, x, y):
        at = int(x) * self.step
        return tuple(self.rows[int(y)][at:at + 3])


def paeth(left, above, corner):
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))
