import { beforeAll, describe, expect, test } from '#jest';
import type { Entries } from '../../../playground/block-elements.ts';
import type { View } from '../../../playground/open-views.ts';
import { rangeClause } from '../../../src/api/parameters/rolling-range.ts';
import { readRange } from '../../../src/slack/ask/grammar/read-range.ts';
import { ranges } from '../../../src/slack/builder/builder-form.ts';
import { until } from '../../support/local-exports.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { transports } from '../../support/transports.ts';

type Place = Awaited<ReturnType<typeof startTeamInSlack>>;

const textOf = (value: unknown) => JSON.stringify(value);

/** The rows of the table among some blocks. */
const tableIn = (blocks: readonly Readonly<Record<string, unknown>>[] = []) =>
  blocks.find(({ type }) => String(type).includes('table'))?.rows;

/** The builder once it is filled. */
const filled = (place: Place, as = 'ada'): Promise<View> =>
  until(() => place.slack.openModals(as).find((view) => view.callback_id === 'report-builder') ?? null);

/** Issues chosen by a query, or by keys, alone. */
const only = (jql: string): Entries => ({ 'builder-projects': null, jql });

/** The ids of the fields of a form. */
const fieldsOf = (view: View) =>
  view.blocks.flatMap((block) => (block.type === 'input' ? [String(block.block_id).split('.')[0]] : []));

async function opens(place: Place, { as = 'ada', in: where = 'team' } = {}): Promise<View> {
  if (place.slack.openModals(as).length > 0) await place.slack.dismisses({ as });
  expect((await place.slack.types('/tis', { as, in: where })).ack?.outcome).toBe('ok');
  return filled(place, as);
}

/** What the modal says after it was submitted. */
async function submits(place: Place, entries: Entries, as = 'ada'): Promise<string> {
  const { ack, errors } = await place.slack.submits(entries, { as });
  expect([ack?.outcome, errors]).toEqual(['ok', {}]);
  return until(() => {
    const text = textOf(place.slack.openModals(as)[0]?.blocks ?? '');
    return text.includes('Running the report…') ? null : text;
  });
}

describe.each(transports)('over %s', (mode) => {
  const place = startedOnce(() => startTeamInSlack(mode));

  test('bare /tis opens the builder, and the answer comes where it was opened, for its principal alone', async () => {
    await opens(place);
    // The first question in a channel sets its time zone.
    expect((await place.slack.privateReply()).text).toContain('Times in <#C0TEAM> are UTC');
    const said = await submits(place, { ...only('project = WEB'), 'builder-range': 'any' });
    expect(said).toContain('The answer is in <#C0TEAM>, only visible to you.');
    const answer = await place.slack.privateReply();
    expect(answer).toMatchObject({ channel: 'C0TEAM', onlyFor: 'U0ADA' });
    expect(answer.text).toContain('WEB');
    expect(textOf(answer.blocks)).toContain('share-answer');
  });

  test('untouched it gives what the same question gives that was typed', async () => {
    const typed = await place.says('/tis WEB last 30 days');
    await opens(place);
    await submits(place, { 'builder-projects': ['WEB'] });
    const built = await place.slack.privateReply();
    expect(built.text).toBe(typed.text);
    expect(tableIn(built.blocks)).toEqual(tableIn(typed.blocks));
    const trend = await place.says('/tis WEB last 30 days by month');
    expect(trend.text).toContain('by when they were finished');
    await opens(place);
    await place.slack.clicks('builder-report', { entry: 'statusDurationByTimePeriod' });
    await submits(place, { 'builder-projects': ['WEB'] });
    expect((await place.slack.privateReply()).text).toBe(trend.text);
    // An average that was typed stays one, and so do a list and a trend.
    for (const line of [
      '/tis WEB last 30 days average',
      '/tis WEB last 30 days list',
      '/tis WEB last 30 days by week',
      '/tis WEB last 30 days by month average',
    ]) {
      const answer = await place.says(line);
      await place.slack.dismisses();
      await place.slack.clicks('Change', { on: answer });
      await filled(place);
      await submits(place, {});
      expect((await place.slack.privateReply()).text).toBe(answer.text);
    }
  });

  test('the builder is acknowledged before anything is asked', async () => {
    await opens(place);
    const release = place.slack.faults.holdNext('chat.postEphemeral');
    const { ack } = await place.slack.submits({ ...only('project = WEB'), 'builder-range': 'any' });
    expect(ack).toMatchObject({ outcome: 'ok', body: { response_action: 'update' } });
    expect(textOf(place.slack.openModals())).toContain('Running the report…');
    release();
    await place.slack.privateReply();
  });

  test('the global shortcut opens it as well, and its answers come in the conversation with the app', async () => {
    if (place.slack.openModals().length > 0) await place.slack.dismisses();
    expect((await place.slack.picks('report-builder')).outcome).toBe('ok');
    await filled(place);
    expect(await submits(place, { ...only('APP-2'), 'builder-range': 'any' })).toContain(
      'our direct messages',
    );
    const answer = await place.slack.reply();
    expect(answer.channel).toBe('D0ADA');
    expect(answer.text).toContain('APP-2');
  });
});

describe('the report builder', () => {
  const place = startedOnce(() => startTeamInSlack());

  test('begins with the project that is usual here', async () => {
    await place.dwell.types('audience', 'C0QUIET', 'allow', 'WEB');
    expect(textOf(await opens(place, { in: 'quiet' }))).toContain(
      '"initial_options":[{"text":{"type":"plain_text","text":"WEB"',
    );
  });

  test('shows only what the chosen report takes, and keeps what was chosen while it is not shown', async () => {
    const view = await opens(place);
    expect(fieldsOf(view)).toEqual([
      'builder-report',
      'builder-projects',
      'builder-sprint',
      'builder-filter',
      'builder-people',
      'jql',
      'builder-range',
      'date-field',
      'builder-group',
      'statistic',
      'builder-calendar',
      'target',
      'save-as',
      'public',
    ]);
    await place.slack.submits({ ...only('sprint = "Nowhere"'), statistic: 'median' });
    await until(() => textOf(place.slack.openModals()).includes('Nowhere') || null);
    await until(() => (textOf(place.slack.openModals()).includes('⚠') ? true : null));
    await place.slack.clicks('builder-report', { entry: 'weekly' });
    const weekly = await until(() => {
      const shown = place.slack.openModals()[0];
      return shown && fieldsOf(shown).includes('week') ? shown : null;
    });
    expect(fieldsOf(weekly)).toEqual([
      'builder-report',
      ...['builder-projects', 'builder-sprint', 'builder-filter', 'builder-people', 'jql'],
      'week',
      'builder-calendar',
      'target',
    ]);
    await place.slack.clicks('builder-report', { entry: 'statusDuration' });
    const again = await until(() => {
      const shown = place.slack.openModals()[0];
      return shown && fieldsOf(shown).includes('statistic') ? shown : null;
    });
    expect(textOf(again)).toContain('"value":"median"}}');
    expect(textOf(again)).toContain('sprint = \\"Nowhere\\"');
  });

  test('a report of dates is a list, and the form says so', async () => {
    await opens(place);
    await place.slack.clicks('builder-report', { entry: 'firstTransitionToStatusDate' });
    const view = await until(() => {
      const shown = place.slack.openModals()[0];
      return shown && !fieldsOf(shown).includes('statistic') ? shown : null;
    });
    expect(textOf(view)).toContain('This report has no statistics');
    expect(await submits(place, { ...only('project = WEB'), 'builder-range': 'any' })).toContain(
      'The answer is in',
    );
    expect((await place.slack.privateReply()).text).toContain('WEB-1');
  });

  test('two days are asked for when they are chosen; the wrong order is shown at once at its field', async () => {
    await opens(place);
    await place.slack.clicks('builder-range', { entry: 'dates' });
    await until(() => (textOf(place.slack.openModals()).includes('"from.0"') ? true : null));
    const wrong = await place.slack.submits({
      ...only('project = WEB'),
      from: '2026-03-10',
      to: '2026-03-01',
    });
    expect(wrong.errors).toEqual({ 'to.0': 'The last day is before the first day.' });
    expect((await place.slack.submits({ from: '2026-12-01', to: null })).errors).toEqual({
      'from.0': 'This day is in the future.',
    });
    expect(await submits(place, { from: '2026-03-01', to: '2026-03-05', 'date-field': 'created' })).toContain(
      'The answer is in',
    );
    expect((await place.slack.privateReply()).text).toContain('12 issues');
  });

  test.each<[string, Entries, string]>([
    ['an unknown filter', { ...only('project = NOPE') }, 'NOPE'],
    ['a query that is none', { ...only('status ==') }, 'JQL'],
    ['a closed project of someone else', { ...only('project = OPS') }, 'OPS'],
  ])('%s comes back below its field with all that was entered', async (_what, entries, word) => {
    await opens(place, { as: 'bob' });
    const said = await submits(
      place,
      { ...entries, statistic: 'p85', 'builder-range': 'last 90 days' },
      'bob',
    );
    const [view] = place.slack.openModals('bob');
    const at = view?.blocks.findIndex(({ block_id: id }) => id === 'jql.0') ?? -1;
    expect(textOf(view?.blocks[at + 1])).toContain('⚠');
    expect(textOf(view?.blocks[at + 1])).toContain(word);
    expect(said).toContain('"initial_option":{"text":{"type":"plain_text","text":"Last 90 days"');
    expect(said).toContain('"text":"85th percentile"},"value":"p85"}');
  });

  test('what is wrong in the query is below the query, at its place in what was typed', async () => {
    await opens(place);
    const jql = 'labels = urgent AND foo >';
    await submits(place, { 'builder-projects': ['WEB'], jql, 'builder-range': 'any' });
    const [view] = place.slack.openModals();
    const at = view?.blocks.findIndex(({ block_id: id }) => id === 'jql.0') ?? -1;
    expect(textOf(view?.blocks[at + 1])).toContain(
      '⚠ JQL: expected a value at position 25 (line 1, column 26), but the query ends there.',
    );
  });

  test('a query that would close the brackets around it is refused as well', async () => {
    await opens(place);
    const jql = 'labels = urgent) OR (labels = later';
    await submits(place, { 'builder-projects': ['WEB'], jql, 'builder-range': 'any' });
    const [view] = place.slack.openModals();
    const at = view?.blocks.findIndex(({ block_id: id }) => id === 'jql.0') ?? -1;
    expect(textOf(view?.blocks[at + 1])).toContain('⚠');
  });

  test('an emptied query is none any more', async () => {
    await opens(place);
    const wrong = { ...only('foo = bar'), 'builder-projects': ['WEB'], 'builder-range': 'any' };
    expect(await submits(place, wrong)).toContain('⚠');
    // As the page names it, with its block.
    expect(await submits(place, { 'jql.0.jql': null })).toContain('The answer is in');
    expect((await place.slack.privateReply()).text).toContain('WEB');
  });

  test('groups by the usual fields and by any that is typed by its name', async () => {
    await opens(place);
    const usual = await place.slack.asksForOptions('builder-group', '');
    expect(textOf(usual)).toContain('Issue type');
    expect(textOf(await place.slack.asksForOptions('builder-group', 'summary'))).toContain('summary');
    expect(await place.slack.asksForOptions('builder-group', 'no such field')).toMatchObject({ options: [] });
    await submits(place, {
      ...only('project = WEB'),
      'builder-group': ['assignee', 'issuetype'],
      'builder-range': 'any',
    });
    expect((await place.slack.privateReply()).text).toMatch(/ada/i);
  });

  test('ages are asked for alike, with the backlog where that is checked; to change the answer keeps it', async () => {
    await opens(place);
    await place.slack.clicks('builder-report', { entry: 'aging' });
    await until(() => (textOf(place.slack.openModals()).includes('"builder-range') ? null : true));
    await submits(place, { ...only('project = APP'), backlog: ['backlog'] });
    const answer = await place.slack.privateReply();
    expect(answer.text).toContain('APP-3');
    expect(answer.text).toContain('open');
    await place.slack.clicks('Change', { on: answer });
    const backlog = (view: View) => view.blocks.find(({ block_id: id }) => id === 'backlog.0');
    expect(textOf(backlog(await filled(place)))).toContain('"initial_options"');
  });

  test('a file is sent to the person, or posted where the builder was opened after the audience check', async () => {
    await opens(place);
    expect(
      await submits(place, { ...only('project = OPS'), target: 'csv me', 'builder-range': 'any' }),
    ).toContain('The file is in our direct messages.');
    expect(place.openIn('D0ADA').at(-1)?.files?.[0]?.content.toString()).toContain('OPS-1');
    await opens(place);
    expect(
      await submits(place, { ...only('project = WEB'), target: 'csv post', 'builder-range': 'any' }),
    ).toContain('The file is in <#C0TEAM>');
    const file = await until(
      () => place.openIn().find(({ files = [] }) => files.length > 0)?.files?.[0] ?? null,
    );
    expect(file.content.toString()).toContain('WEB-12');

    await opens(place);
    const refused = await submits(place, {
      ...only('project = OPS'),
      target: 'csv post',
      'builder-range': 'any',
    });
    expect(refused).toContain("⚠ This file can't be posted in this channel.");
  });

  test('projects, sprints, filters and people are chosen from menus, each with the rights of the person', async () => {
    await opens(place, { as: 'bob' });
    const options = async (name: string, query = '') =>
      textOf(await place.slack.asksForOptions(name, query, { as: 'bob' }));
    expect(await options('builder-projects')).toContain('"value":"WEB"');
    expect(await options('builder-projects')).not.toContain('OPS');
    expect(await options('builder-projects', 'ap')).not.toContain('WEB');
    expect(await options('builder-people')).toContain('"text":"bob (me)"},"value":"bob"');
    expect(await options('builder-people', 'ada')).toContain('"value":"ada"');
    expect([await options('builder-sprint'), await options('builder-filter')]).toEqual([
      textOf({ options: [], groups: [] }),
      textOf({ options: [], groups: [] }),
    ]);
    await submits(
      place,
      {
        ...{ 'builder-projects': ['WEB', 'APP'], 'builder-people': ['ada'], jql: 'status = Done' },
        ...{ 'builder-range': 'any', statistic: 'list' },
      },
      'bob',
    );
    const answer = await place.slack.privateReply();
    expect(answer.text).toContain('WEB-1');
    // What the menus chose they show again.
    await place.slack.clicks('Change', { as: 'bob', on: answer });
    const again = textOf(await filled(place, 'bob'));
    expect(again).toContain('status = Done');
  });

  test('what keeps a channel from private messages brings the answer to the conversation with the app', async () => {
    await opens(place, { in: 'quiet' });
    place.slack.faults.failNext('chat.postEphemeral', 'not_in_channel');
    const said = await submits(place, { ...only('WEB-1'), 'builder-range': 'any' });
    expect(said).toContain('the answer is in our direct messages.');
    const sent = await until(
      () => place.slack.messages({ channel: 'dm' }).find(({ text }) => text.includes('<#C0QUIET>')) ?? null,
    );
    expect(sent.text).toContain('About your request in <#C0QUIET>:');
  });

  test('after a pause that Slack wants, the answer is where it was asked for', async () => {
    await opens(place);
    place.slack.faults.rateLimitNext('chat.postEphemeral', 0);
    const said = await submits(place, { ...only('WEB-1'), 'builder-range': 'any' });
    expect(said).toContain('The answer is in <#C0TEAM>');
  });

  test('what may be there already is posted nowhere else, and the modal says so', async () => {
    await opens(place);
    const before = place.slack.messages({ channel: 'dm' }).length;
    place.slack.faults.loseAnswerNext('chat.postEphemeral');
    const said = await submits(place, { ...only('WEB-1'), 'builder-range': 'any' });
    expect(said).toContain("Slack didn't confirm the answer in <#C0TEAM>.");
    expect(place.slack.messages({ channel: 'dm' })).toHaveLength(before);
  });

  test('what Slack takes nowhere the modal says', async () => {
    await opens(place);
    place.slack.faults.rateLimitNext('chat.postEphemeral', 40);
    place.slack.faults.rateLimitNext('chat.postMessage', 40);
    const said = await submits(place, { ...only('project = WEB'), 'builder-range': 'any' });
    expect(said).toContain("didn't let me post the answer in <#C0TEAM> or in our direct messages.");
  });

  test('someone unknown to the tracker cannot save, and reads why', async () => {
    const view = await opens(place, { as: 'zoe' });
    expect(fieldsOf(view)).not.toContain('save-as');
    expect(textOf(view)).toContain('/tis link');
  });
});

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
