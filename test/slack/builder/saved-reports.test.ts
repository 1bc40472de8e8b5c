import { beforeAll, describe, expect, test } from '#jest';
import type { Entries } from '../../../playground/block-elements.ts';
import { rangeClause } from '../../../src/api/parameters/rolling-range.ts';
import { readRange } from '../../../src/slack/ask/grammar/read-range.ts';
import { ranges } from '../../../src/slack/builder/builder-form.ts';
import { filled, only, opens, submits, tableIn, textOf } from '../../support/builder-in-slack.ts';
import { until } from '../../support/local-exports.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('saved reports', () => {
  const place = startedOnce(() => startTeamInSlack());

  /** Builds a report grouped by assignee, saves it, and hands back its answer and its set. */
  async function saves(name: string, entries: Entries) {
    await opens(place);
    // Slack sends a choice only of what was offered.
    await place.slack.asksForOptions('builder-group', '');
    const said = await submits(place, { ...entries, 'builder-group': ['assignee'], 'save-as': name });
    expect(said).toContain(`/tis saved ${name}`);
    const answer = await place.slack.privateReply();
    const { parameterSets: sets } = (await place.dwell.get('/rest/parameterSets')).json;
    const set: { id: string; name: string } = sets.find((one: { name: string }) => one.name === name);
    return { answer, set };
  }

  test.each<[string, Entries]>([
    ['any time', { ...only('project = WEB'), 'builder-range': 'any', statistic: 'median' }],
    [
      'moving days',
      {
        ...only('project = WEB'),
        'builder-range': 'last 30 days',
        'date-field': 'created',
        statistic: 'p85',
        public: ['public'],
      },
    ],
    [
      'a month',
      { ...only('project = WEB order by key'), 'builder-range': 'this month', 'date-field': 'created' },
    ],
    [
      'a quoted order',
      {
        ...only('project = WEB order by "summary"'),
        'builder-range': 'last 30 days',
        'date-field': 'created',
      },
    ],
    [
      'a quarter',
      {
        ...only('WEB-1, WEB-2'),
        'builder-range': 'this quarter',
        'date-field': 'created',
        statistic: 'standard deviation',
      },
    ],
  ])('a report of %s is saved so that REST can run it, and both show the same', async (what, entries) => {
    const { answer, set } = await saves(`Of ${what}`, entries);
    expect(set).toMatchObject({ ownerId: 'ada', public: 'public' in entries });
    const { json } = await place.dwell.get(`/rest/parameterSets/${set.id}/validate`);
    expect(json).toEqual({ valid: true, messages: [] });
    const again = await place.says(`/tis saved Of ${what}`);
    // A time that moves is shown as part of the query then; the figures are the same.
    expect(tableIn(again.blocks)).toBeDefined();
    expect(tableIn(again.blocks)).toEqual(tableIn(answer.blocks));
  });

  test('what others make public takes no name away', async () => {
    const { set } = await saves('Team pace', { ...only('project = WEB'), 'builder-range': 'any' });
    await opens(place, { as: 'bob' });
    const entries = {
      ...only('project = APP'),
      'builder-range': 'any',
      'save-as': 'Team pace',
      public: ['public'],
    };
    expect(await submits(place, entries, 'bob')).toContain('`/tis saved Team pace` runs it again');
    expect((await place.says('/tis saved Team pace')).text).toContain('WEB');
    expect((await place.says('/tis saved Team pace', { as: 'bob' })).text).toContain('APP');
    const list = await place.says('/tis saved');
    expect(list.text).toContain('*Team pace* (yours)  `/tis saved Team pace`');
    expect(list.text).toMatch(/\*Team pace\* \(by [^)]+\) {2}`\/tis saved (?!Team)/);
    expect(list.text).not.toContain(`/tis saved ${set.id}`);
  });

  test('a taken name is refused at its field', async () => {
    await saves('Taken', { ...only('project = WEB'), 'builder-range': 'any' });
    await opens(place);
    const said = await submits(place, {
      ...only('project = WEB'),
      'builder-range': 'any',
      'save-as': 'taken',
    });
    expect(said).toContain('is the name of another parameter set');
  });

  test('what was saved before a file was refused is not saved once more', async () => {
    await opens(place);
    const said = await submits(place, {
      ...only('project = OPS'),
      'builder-range': 'any',
      target: 'csv post',
      'save-as': 'For ops',
    });
    expect(said).toContain("This file can't be posted in this channel.");
    expect(said).toContain("⚠ Already saved as 'For ops'.");
    expect(said).not.toContain('"initial_value":"For ops"');
    expect(await submits(place, { target: 'answer', 'save-as': null })).toContain('The answer is in');
  });

  test('choosing one fills the form as it was saved', async () => {
    const { set } = await saves('Filled', {
      ...only('project = WEB'),
      'builder-range': 'last 30 days',
      statistic: 'p85',
    });
    await opens(place);
    await place.slack.asksForOptions('builder-saved', '');
    await place.slack.clicks('builder-saved', { entry: set.id });
    const view = await until(() => {
      const shown = place.slack.openModals()[0];
      return textOf(shown).includes('"jql.1"') ? shown : null;
    });
    const text = textOf(view);
    expect(text).toContain('"text":"WEB"},"value":"WEB"}]');
    expect(text).toContain('"initial_option":{"text":{"type":"plain_text","text":"Last 30 days"');
    expect(text).toContain('"initial_option":{"text":{"type":"plain_text","text":"85th percentile"');
    expect(text).toContain('"text":"Assignee"');
    expect(await submits(place, { statistic: 'median' })).toContain('The answer is in');
  });

  test('that there is more than the form has fields for is said', async () => {
    await place.dwell.postJson('/rest/parameterSets', {
      name: 'Trimmed',
      public: true,
      parameters: {
        columnsBy: 'statusDuration',
        filterType: 'project',
        projectKey: 'WEB',
        trimHistoryStartDate: '2026-03-01',
        statuses: ['3'],
      },
    });
    await opens(place, { as: 'bob' });
    const offered = textOf(await place.slack.asksForOptions('builder-saved', '', { as: 'bob' }));
    const id = /"text":"Trimmed \(public\)"\},"value":"([^"]+)"/.exec(offered)?.[1];
    await place.slack.clicks('builder-saved', { as: 'bob', entry: id ?? '' });
    const text = await until(() => {
      const shown = textOf(place.slack.openModals('bob'));
      return shown.includes('"jql.1"') ? shown : null;
    });
    expect(text).toContain('The saved report has more settings than the builder.');
    expect(text).toContain('/tis saved Trimmed');
  });
});

describe('a time that moves', () => {
  const place = startedOnce(() => startTeamInSlack());
  beforeAll(async () => {
    // Some of the periods before the running ones hold issues, some do not.
    place.dwell.clock.now = Date.parse('2026-04-08T12:00:00Z');
  });

  const moving = ranges.map(([, words]) => words).filter((words) => words !== 'any' && words !== 'dates');
  test.each(moving)('%s is the same issues in a query', async (words) => {
    for (const field of ['created', 'updated', 'resolved']) {
      const range = readRange([field, ...words.split(' ')], {
        now: place.dwell.clock.now,
        hours: { calendar: 'normalHours', timeZone: 'UTC' },
      });
      if (range === null || range.when.by === 'dates') throw new Error(`${words} does not move`);
      const clause = rangeClause({ field: range.field, when: range.when });
      const { json } = await place.dwell.get('/rest/issues', {
        columnsBy: 'statusDuration',
        filterType: 'customjql',
        customjql: `project = WEB AND ${clause}`,
      });
      const { text } = await place.says(`/tis project WEB ${field} ${words} list`);
      const [, count = '0'] = /^WEB · (\d+) issues?/.exec(text) ?? [];
      expect([field, json.total]).toEqual([field, Number(count)]);
    }
  });

  test('to change an answer of a named week is to begin with that week', async () => {
    const asked = await place.says('/tis weekly WEB 2026-W11');
    expect(asked.text).toContain('week 11');
    await place.slack.clicks('open-builder', { on: asked });
    expect(textOf(await filled(place))).toContain('"text":"Week 2026-W11"');
    await submits(place, {});
    expect((await place.slack.privateReply()).text).toContain('week 11');
  });

  test('a filter too long for the builder is not cut: nothing is answered until another is entered', async () => {
    const query = Array.from({ length: 250 }, (_, i) => `key = WEB-${(i % 2) + 1}`).join(' or ');
    const asked = await place.says(`/tis jql ${query} or key = WEB-12`);
    while (place.slack.openModals().length > 0) await place.slack.dismisses();
    await place.slack.clicks('open-builder', { on: asked });
    const view = await filled(place);
    expect(textOf(view)).toContain('The query is too long for the builder');
    expect(textOf(view)).not.toContain('key = WEB-1');
    // Another report brings no piece of it back.
    await place.slack.clicks('builder-report', { entry: 'aging' });
    const aging = await until(() => {
      const shown = textOf(place.slack.openModals());
      return shown.includes('builder-range') ? null : shown;
    });
    expect(aging).toContain('The query is too long for the builder');
    expect(await submits(place, { ...only('project = WEB') })).toContain('The answer is in');
  });

  test('some of these times hold issues', async () => {
    const { text } = await place.says('/tis project WEB created last month list');
    expect(text).toContain('WEB · 12 issues created last month');
  });
});
