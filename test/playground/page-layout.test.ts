import { readFileSync } from 'node:fs';
import { describe, expect, test } from '#jest';
// @ts-expect-error The page is plain JavaScript.
import { pieShares, shownLabels } from '../../playground/page/chart.js';
// @ts-expect-error The page is plain JavaScript.
import { followNewest } from '../../playground/page/follow-newest.js';
// @ts-expect-error The page is plain JavaScript.
import { clockTime, dayName, readIn, slackDate } from '../../playground/page/slack-date.js';

describe('a list of messages', () => {
  /** A list 600 px high; each message is appended to it with its height, and scrolled as a browser does. */
  const aList = () => {
    const tops = new Map<string, number>();
    let height = 0;
    let at = 0;
    const scroller = {
      clientHeight: 600,
      get scrollHeight() {
        return Math.max(600, height);
      },
      get scrollTop() {
        return at;
      },
      set scrollTop(to: number) {
        at = Math.min(Math.max(0, to), this.scrollHeight - this.clientHeight);
        list.scrolled();
      },
    };
    const list = followNewest(scroller, (ts: string) => tops.get(ts));
    const add = (ts: string, size: number, own = false) => {
      tops.set(ts, height);
      height += size;
      list.added(ts, own);
    };
    const grow = (by: number) => {
      height += by;
      list.follow();
    };
    return { scroller, add, grow };
  };

  test('follows to its end', () => {
    const { scroller, add } = aList();
    add('1', 500);
    add('2', 500);
    expect(scroller.scrollTop).toBe(400);
  });

  test('shows a message that is higher than it from the first line, also once its chart is drawn', () => {
    const { scroller, add, grow } = aList();
    add('1', 500);
    add('2', 550, true);
    expect(scroller.scrollTop).toBe(450);
    grow(300);
    expect(scroller.scrollTop).toBe(500);
    add('3', 100);
    expect(scroller.scrollTop).toBe(850);
  });

  test('stays where one reads, until one’s own answer comes', () => {
    const { scroller, add } = aList();
    add('1', 2_000);
    scroller.scrollTop = 300;
    add('2', 100);
    expect(scroller.scrollTop).toBe(300);
    add('3', 200, true);
    expect(scroller.scrollTop).toBe(1_700);
    add('4', 900, true);
    expect(scroller.scrollTop).toBe(2_300);
  });
});

describe('the labels of a narrow chart', () => {
  const weeks = Array.from({ length: 9 }, (_, i) => `W${39 + i} (4)`);

  test.each([0, 1, 4, 5, 8])('keep that of the highest value (%i)', (keep) => {
    const shown = shownLabels(weeks, { band: 23, right: 12 }, keep);
    expect(shown).toContainEqual(expect.objectContaining({ index: keep, text: weeks[keep] }));
    expect(shown.length).toBe(3);
  });

  test('are all there where there is room, and shortened where that is enough', () => {
    expect(shownLabels(weeks, { band: 65, right: 12 }, 5)).toHaveLength(9);
    const sprints = Array.from({ length: 6 }, (_, i) => `WEB Sprint ${39 + i}`);
    expect(shownLabels(sprints, { band: 96, right: 12 }, 5)).toHaveLength(6);
    const long = shownLabels(['Ready for Release', 'Done'], { band: 100, right: 12 }, 1);
    expect(long.map(({ text }: { text: string }) => text)).toEqual(['Ready for R…', 'Done']);
  });

  test('are left out one by one: a wide one takes no room from those that are narrow', () => {
    const people = shownLabels(['Bob', 'Emil', 'Unassigned'], { band: 65, right: 12 }, 1);
    expect(people.map(({ text }: { text: string }) => text)).toEqual(['Bob', 'Emil', 'Unassigned']);
  });

  test.each([20, 34, 50, 90, 120])('end where the chart ends, and not in each other (%i px)', (band) => {
    const sprints = Array.from({ length: 6 }, (_, i) => `WEB Sprint ${39 + i}`);
    const right = 12;
    const letter = 6.5;
    const places: { from: number; to: number }[] = shownLabels(sprints, { band, right }, 5).map(
      ({ text, middle }: { text: string; middle: number }) => ({
        from: middle - (text.length * letter) / 2,
        to: middle + (text.length * letter) / 2,
      }),
    );
    expect(places.at(-1)?.to).toBeLessThanOrEqual(band * sprints.length + right);
    for (const [at, { from }] of places.entries())
      expect(from).toBeGreaterThanOrEqual(places[at - 1]?.to ?? Number.NEGATIVE_INFINITY);
  });
});

test.each([
  [
    [46, 41, 14],
    [45, 41, 14],
  ],
  [
    [2_920, 2_640, 860],
    [46, 41, 13],
  ],
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [[7], [100]],
])('the shares of a pie add up to 100 (%j)', (values, shares) => {
  expect(pieShares(values.map((value) => ({ value })))).toEqual(shares);
});

describe.each(['light', 'dark'])('in %s', (theme) => {
  const css = readFileSync(new URL('../../playground/page/tokens.css', import.meta.url), 'utf8');
  const [light = '', dark = ''] = css.split(':root[data-theme="dark"]');
  const colors = new Map(
    [...(theme === 'light' ? light : light + dark).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = '', color = '']) => [name, color],
    ),
  );
  /** Relative luminance, as WCAG 2 has it. */
  const luminance = (name: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt((colors.get(name) ?? '').slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  test.each([
    ['text', 'only-you'],
    ['dim', 'only-you'],
    ['dim', 'raised'],
    ['link', 'only-you'],
    ['link', 'tint'],
    ['link', 'mention-back'],
    ['mention-me-text', 'mention-me'],
    ['code', 'only-you'],
    ['badge-text', 'badge-back'],
  ])('%s can be read on %s', (letters, ground) => {
    const [bright = 0, low = 0] = [luminance(letters), luminance(ground)].sort((a, b) => b - a);
    expect((bright + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(4.5);
  });
});

/** A Friday, 22:30 in UTC. */
const at = Date.parse('2026-11-20T22:30:00Z') / 1000;
const now = Date.parse('2026-11-21T10:00:00Z');

describe.each([
  ['Europe/Berlin', 'yesterday at 11:30 PM', 'Yesterday', '2026-11-20'],
  ['America/New_York', 'yesterday at 5:30 PM', 'Yesterday', '2026-11-20'],
  ['Asia/Tokyo', 'today at 7:30 AM', 'Today', '2026-11-21'],
])('a reader in %s', (zone, pretty, day, number) => {
  test('reads dates and days on their own clock', () => {
    readIn(zone);
    expect(slackDate(at, '{date_short_pretty} at {time}', now)).toBe(pretty);
    expect(slackDate(at, '{date_num}', now)).toBe(number);
    expect(dayName(at, now)).toBe(day);
    expect(pretty).toContain(clockTime(at));
  });

  test('reads days that are further away by their name', () => {
    readIn(zone);
    const later = Date.parse('2026-12-24T12:00:00Z');
    expect(slackDate(at, '{date_long}', later)).toMatch(
      /^(?:Friday, November 20th|Saturday, November 21st), 2026$/,
    );
  });
});
