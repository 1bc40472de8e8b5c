import { expect, test } from '#jest';
import { createProgressLine } from '../../src/cli/progress-line.ts';

function aLine(watched: boolean) {
  const clock = { now: 0 };
  const written: string[] = [];
  const tell = createProgressLine({ watched, write: (text) => written.push(text), now: () => clock.now });
  return { clock, written, tell };
}

test('before a person one line is overwritten, and cleared by an empty one', () => {
  const { written, tell } = aLine(true);
  tell('1 %');
  tell('');
  expect(written).toEqual(['\r\u001b[K1 %', '\r\u001b[K']);
});

test('anywhere else there is a line each ten seconds, and none to clear', () => {
  const { clock, written, tell } = aLine(false);
  for (const [at, line] of [
    [0, 'begun'],
    [9_999, 'too soon'],
    [10_000, 'ten'],
    [10_001, 'too soon'],
    [19_999, 'too soon'],
    [35_000, 'later'],
    [60_000, ''],
  ] as const) {
    clock.now = at;
    tell(line);
  }
  expect(written).toEqual(['ten\n', 'later\n']);
});
