import { describe, expect, test } from '#jest';
import type { Entries } from '../../../playground/block-elements.ts';
import type { View } from '../../../playground/open-views.ts';
import { fieldsOf, filled, only, opens, submits, tableIn, textOf } from '../../support/builder-in-slack.ts';
import { until } from '../../support/local-exports.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { transports } from '../../support/transports.ts';

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
