import fc from 'fast-check';
import { beforeEach, describe, expect, test } from '#jest';
import { checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Preferences } from '../../../src/model/chat.ts';
import { type SettingsChoices, settingsView } from '../../../src/slack/home/settings-view.ts';
import type { Submission } from '../../../src/slack/modal.ts';
import { homeSettings } from '../../../src/slack/modals/home-settings.ts';
import type { SlackParts } from '../../../src/slack/parts.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';

const none: Preferences = { account: 'U1', projects: null, calendar: null };
const calendar = { holidays: [], timeZone: 'UTC', workingTimes: [] };
const calendars = [
  { ...calendar, id: null, name: 'normalHours' },
  { ...calendar, id: 7, name: 'Office hours' },
];
const keys = (count: number) => Array.from({ length: count }, (_, i) => `P${i}`);
const view = (preferences: Partial<Preferences> = {}, choices: Partial<SettingsChoices> = {}) =>
  settingsView({ ...none, ...preferences }, { calendars, projects: ['APP', 'WEB'], ...choices });
const shown = (...given: Parameters<typeof view>) => JSON.stringify(view(...given).blocks);

describe('the form', () => {
  test('offers the projects that can be seen, and shows those that are chosen', () => {
    expect(shown()).toContain('"type":"multi_static_select"');
    expect(shown()).not.toContain('initial_options');
    expect(shown({ projects: ['WEB', 'GONE'] })).toContain(
      '"initial_options":[{"text":{"type":"plain_text","text":"WEB"},"value":"WEB"}]',
    );
  });

  test('shows the calendar that is chosen, else that every hour counts', () => {
    expect(shown()).toMatch(/"initial_option":\{[^}]*"Around the clock"/);
    expect(shown({ calendar: '7' })).toMatch(/"initial_option":\{[^}]*"Office hours"/);
  });

  test.each([0, 1, 100, 101, 10_000])('is within the limits of Slack with %i projects', (count) => {
    expect(checkView(view({ projects: keys(count) }, { projects: keys(count) }))).toEqual([]);
    expect(shown({}, { projects: keys(count) }).includes('project-keys')).toBe(count === 0 || count > 100);
  });

  test('is so with any names, and where nobody tells of the projects', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (name) => {
        const odd = [{ ...calendar, id: 1, name }];
        expect(checkView(view({ projects: [name] }, { projects: null, calendars: odd }))).toEqual([]);
      }),
    );
  });
});

describe('what was submitted', () => {
  const submission = (more: Partial<Submission>): Submission => ({
    principal: principalOf('U1'),
    userName: 'ada',
    metadata: '',
    ...{ chosen: {}, chosenAll: {}, accounts: {}, instants: {}, texts: {} },
    ...more,
  });
  let [kept, shows]: [unknown[], string[]] = [[], []];
  beforeEach(() => {
    [kept, shows] = [[], []];
  });
  const parts = {
    reporting: smallWorld('2026-03-18T12:00:00Z', [anIssue('WEB-1', '2026-03-02T09:00:00Z').issue]),
    people: { tenant: 'default', users: async () => new Map(), linkOf: async () => null },
    accounts: { profileOf: async () => ({ refused: null, standing: 'ours', isGuest: false, email: null }) },
    channels: {
      changePreferences: async (account: string, changes: unknown) => kept.push({ account, changes }),
    },
    homes: { show: async (account: string) => void shows.push(account) },
  } as unknown as SlackParts;

  test('is kept, and the tab follows', async () => {
    const chosen = submission({ chosenAll: { projects: ['WEB'] }, chosen: { calendar: '7' } });
    const { text, later } = await homeSettings.answer(chosen, parts);
    expect(text).toBe('Saved. Your Home tab tells of WEB.');
    expect((await later)?.text).toBe('Saved. Your Home tab shows it.');
    expect(kept.at(-1)).toEqual({ account: 'U1', changes: { projects: ['WEB'], calendar: '7' } });
    expect(shows).toEqual(['U1']);
  });

  test('without projects it is guessed again which are theirs', async () => {
    const { text } = await homeSettings.answer(submission({}), parts);
    expect(kept.at(-1)).toEqual({ account: 'U1', changes: { projects: null } });
    expect(text).toContain('most of your issues');
  });

  test('typed keys are taken whatever their case, each once', async () => {
    await homeSettings.answer(submission({ texts: { 'project-keys': 'web, WEB' } }), parts);
    expect(kept.at(-1)).toMatchObject({ changes: { projects: ['WEB'] } });
  });

  test('a project nobody knows is named, and nothing is kept', async () => {
    const typed = submission({ texts: { 'project-keys': 'WEB NONE' } });
    await expect(homeSettings.answer(typed, parts)).rejects.toMatchObject({
      code: 'bad-request',
      details: [expect.stringMatching(/no project NONE, or none that you may see/)],
    });
    expect(kept).toEqual([]);
  });

  test('more than five are seen to be too many at once', () => {
    const typed = submission({ texts: { 'project-keys': 'a b c d e f' } });
    expect(homeSettings.wrongAtOnce?.(typed, 0)).toEqual({
      'project-keys': '6 projects are named. Try: at most 5.',
    });
    expect(homeSettings.wrongAtOnce?.(submission({}), 0)).toEqual({});
  });
});
