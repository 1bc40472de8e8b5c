import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { afterEach, beforeAll, describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { titleWithoutQuery } from '../../../src/output/subject-words.ts';
import { aView } from '../../support/a-view.ts';
import {
  aFinishedAnswer,
  anIssueAnswer,
  aStage,
  officeHours,
  provenanceOf,
} from '../../support/an-answer.ts';
import { fixture } from '../../support/fixture.ts';
import { exportFile, jiraIssue, keepNewest, movesTo } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('tis', () => {
  const place = startedOnce(() => startDwellInSlack({ at: '2022-06-01T00:00:00.000Z' }));
  beforeAll(async () => {
    const files = [
      'jirametrics-testdata.issues.json',
      'jirametrics.statuses.json',
      'titanium-daemon.issues.json.gz',
    ];
    const moved = jiraIssue('KITE-2', { created: '2022-05-30T00:00:00.000Z' }).onCloud();
    const move = { field: 'Key', from: null, fromString: 'RAFT-8', to: null, toString: 'KITE-2' };
    moved.changelog?.histories.push({ id: '1', created: '2022-05-31T00:00:00.000+0000', items: [move] });
    const begun = jiraIssue('KITE-3', { created: '2022-05-01T00:00:00.000Z' });
    const finished = begun
      .at('2022-05-10T00:00:00.000Z', movesTo('In Progress'))
      .at('2022-05-15T00:00:00.000Z', movesTo('In Review'))
      .at('2022-05-18T00:00:00.000Z', movesTo('In Progress'))
      .at('2022-05-20T00:00:00.000Z', movesTo('Done'));
    const cut = keepNewest(finished.onCloud(), 3);
    const back = jiraIssue('KITE-4', { created: '2022-05-01T00:00:00.000Z' })
      .at('2022-05-10T00:00:00.000Z', movesTo('In Progress'))
      .at('2022-05-15T00:00:00.000Z', movesTo('To Do'))
      .onCloud();
    await place.dwell.types('import', ...files.map(fixture), exportFile([moved, cut, back]));
  });
  afterEach(() => {
    for (const message of place.slack.messages()) expect(message.onlyFor).toBe('U0ADA');
  });

  test.each(['/tis RAFT-8', '/tis raft-8'])(
    '%s answers of the issue that had the key before',
    async (line) => {
      const message = await place.slack.answerTo(line);
      expect(JSON.stringify(message.blocks)).toContain('*KITE-2 · What KITE-2 is about*');
    },
  );

  test('when an issue came to a status is told from its creation in it', async () => {
    const answerTo = async (line: string) => (await place.slack.answerTo(line)).text;
    expect(await answerTo('/tis KITE-4 by history to "To Do"')).toMatch(
      /Created in To Do 2022-05-01 00:00 UTC, moved to it again 2022-05-15 00:00 UTC/,
    );
    expect(await answerTo('/tis KITE-2 by history to "To Do"')).toMatch(
      /Created in To Do 2022-05-30 00:00 UTC\./,
    );
    expect(await answerTo('/tis KITE-4 by history to "In Progress"')).toMatch(
      /Moved to In Progress 2022-05-10/,
    );
    expect(await answerTo('/tis KITE-3 by history to "In Progress"')).toMatch(
      /Moved to In Progress 2022-05-18/,
    );
  });

  test('an issue whose history is unknown says so instead of a time', async () => {
    const message = await place.slack.answerTo('/tis daemon-1');
    expect(message.text).toContain('Resolved, since when is unknown');
    expect(message.text).toContain('History unknown: the import carried no changelog for this issue.');
    expect(message.text).toContain('1 history cut');
    expect(message.blocks?.map((block) => block.type)).toEqual([
      'section',
      'section',
      'table',
      'context',
      'actions',
    ]);
  });

  test('of a finished issue whose history is cut, time since it was done is no time of its work', async () => {
    const message = await place.slack.answerTo('/tis KITE-3');
    expect(message.text).toMatch(/^KITE-3 · .*✅ Done since May 20\. History starts May 15/);
    expect(message.text).toContain(
      'Until done: Times 2, Time 5d, Share 100%; Done (now): Times 1, Time 12d, Share –',
    );
  });

  test('the issue’s own view by something else, in other hours and in hours', async () => {
    const byAssignee = await place.slack.answerTo('/tis SP-10 by assignee');
    expect(byAssignee.text).toMatch(/^SP-10 · Check in people at an event\. ✅ Took 7d 10h/);
    const byWeek = await place.slack.answerTo('/tis sp-10 by week in hours');
    expect(byWeek.text).toMatch(/^SP-10 · Check in people at an event\. ✅ Took 178h/);
    const inHours = await place.slack.answerTo('/tis SP-10 in 24/7');
    expect(inHours.text).toContain('Hours 24/7');
  });

  describe('what cannot be told gets a friendly answer with an example that works', () => {
    const example = async (text: string) => {
      const [, key] = /You can run `(\/tis [A-Z]+-\d+)`/.exec(text) ?? [];
      expect(key).toBeDefined();
      const message = await place.slack.answerTo(key ?? '');
      expect(message.text).toContain('as of');
    };

    test('an unknown key', async () => {
      const message = await place.slack.answerTo('/tis WEB-404');
      expect(message.text).toMatch(/^I can't find WEB-404, or you don't have access to it\. You can run `/);
      await example(message.text);
    });

    test.each([
      ['<script>', 'I couldn\'t find a project or an issue "&lt;script&gt;".'],
      ['<!channel>', 'I couldn\'t find a project or an issue "&lt;!channel&gt;".'],
      ['*bold* `code`', 'I couldn\'t find a project or an issue "*bold* `code`".'],
      ['🙂', 'I couldn\'t find a project or an issue "🙂".'],
      ['-1', 'I couldn\'t find a project or an issue "-1".'],
    ])('garbage: %s', async (garbage, answer) => {
      const message = await place.slack.answerTo(`/tis ${garbage}`);
      expect(message.text).toContain(answer);
      await example(message.text);
    });

    test('where a project is missing, each has a button', async () => {
      const message = await place.slack.answerTo('/tis how long does it take?');
      expect(message.text).toMatch(/^Which project\? You can run `/);
      expect(JSON.stringify(message.blocks)).toContain('"value":"/tis SP cycle time"');
      await place.slack.clicks('SP');
      expect((await place.slack.reply()).text).toMatch(/^SP · .*half within/);
    });

    test('a key among words that mean nothing is what was asked about', async () => {
      const message = await place.slack.answerTo('/tis how long did SP-1 *bold* `code`');
      expect(message.text).toMatch(/^Showing SP-1, the issue in your text\. I left out `bold`\. SP-1 · /);
    });

    test('a very long paste', async () => {
      const message = await place.slack.answerTo(`/tis ${'x'.repeat(5000)}`);
      expect(message.text.length).toBeLessThan(400);
    });

    test('more issues than one table holds', async () => {
      const keys = Array.from({ length: 11 }, (_, i) => `SP-${i + 1}`).join(' ');
      const message = await place.slack.answerTo(`/tis ${keys}`);
      expect(message.text).toContain('11 issues are more than I can show side by side. Try: up to 10.');
    });
  });
});

describe('issue answer', () => {
  const at = Date.parse('2026-11-18T12:00:00Z');
  const day = millisecondsInDay;

  const headline = (answer: Answer) => JSON.stringify(aView(answer).message.blocks[0]);

  test('an open issue says where it is before anything else', () => {
    expect(headline(anIssueAnswer())).toContain(
      '*WEB-1 · Basket loses its items*\\n*Doing for 1d* with @Ada since Nov 17',
    );
    expect(headline(anIssueAnswer({ assignee: null }))).toContain('*Doing for 1d* · unassigned since Nov 17');
    expect(headline(anIssueAnswer({ reopened: true }))).toContain('· reopened');
  });

  test.each([
    [2 * day, '*Doing for 1d* with @Ada since Nov 17 · usual up to 2d'],
    [day, '🟡 *Doing for 1d* with @Ada since Nov 17 · 1× usual (1d)'],
    [0.51 * day, '🟡 *Doing for 1d* with @Ada since Nov 17 · 1.9× usual (12h 14m)'],
    [0.5 * day, '🟠 *Doing for 1d* with @Ada since Nov 17 · 2× usual (12h)'],
    [0.04 * day, '🟠 *Doing for 1d* with @Ada since Nov 17 · 25× usual (57m 36s)'],
  ])('against a usual time of %i ms', (p85, words) => {
    expect(headline(anIssueAnswer({ usual: { p85Ms: p85 } }))).toContain(`\\n${words}"`);
  });

  test('an issue that was not begun is compared with nothing', () => {
    const answer = anIssueAnswer({
      ...{
        stages: [],
        before: [aStage('To Do', day, { category: 'To Do', kind: 'queue', now: true })],
        startedAt: null,
      },
      current: { id: 'To Do', name: 'To Do', category: 'To Do', kind: 'queue', since: at - day, forMs: day },
      usual: { p85Ms: 1 },
    });
    expect(headline(answer)).toContain('\\n*To Do for 1d* with @Ada since Nov 17 · not started"');
  });

  test('a finished issue says how long it took, against what is usual, and who finished it', () => {
    expect(headline(aFinishedAnswer())).toContain(
      '✅ *Took 2d* from start to done (Nov 15–17) · finished by @Ada',
    );
    const slow = aFinishedAnswer({
      usual: { p85Ms: day },
      finish: { finishedAt: at - day, by: null, rounds: 3 },
    });
    expect(headline(slow)).toContain(
      '✅ *Took 2d* from start to done over 3 rounds (Nov 15–17) · 2× usual (1d)"',
    );
    expect(headline(aFinishedAnswer({ startedAt: null }))).toContain(
      '✅ *Closed* on Nov 17 · never in progress, so no cycle time · finished by @Ada',
    );
  });

  test('many stages: the longest, the others together, and all of them in the details', () => {
    const stages = Array.from({ length: 30 }, (_, i) => aStage(`Stage ${i + 1}`, (i + 1) * day));
    const { message, details } = aView(aFinishedAnswer({ stages }));
    expect(message.text).toContain('Stage 28: Times 1, Time 28d, Share 6%; Stage 29');
    expect(message.text).toContain('Other (27): Times 27, Time 378d, Share 81%');
    expect(details).toHaveLength(1);
    expect(details[0]?.text).toContain('Stage 2: Times 1, Time 2d, Share <1%'.replace('<', '&lt;'));
  });

  test('in office hours a day is a working day, and the answer says so', () => {
    const answer = anIssueAnswer({
      stages: [aStage('Doing', 20 * millisecondsInHour), aStage('Review', millisecondsInHour)],
      provenance: provenanceOf(1, { calendar: { ...officeHours, equalDays: false } }),
    });
    expect(aView(answer).message.text).toContain('Doing: Times 1, Time 2d 4h');
    expect(aView(answer).message.text).toContain('Working hours Office hours (1d = 8h)');
  });

  test('names from the tracker cannot be mistaken for marks of Slack', () => {
    const answer = anIssueAnswer({
      summary: '<!channel> & <https://evil.example|click>',
      assignee: { id: '|U1>', name: '<@U1>' },
    });
    expect(headline(answer)).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;');
    expect(headline(answer)).toContain('with @&lt;@U1&gt; since');
    expect(aView(answer).message.text).not.toMatch(/<[!@h]/);
  });

  test('the key leads to the issue where the tracker has its address', () => {
    expect(headline(anIssueAnswer({ link: 'https://tracker.example/browse/WEB-1' }))).toContain(
      '*<https://tracker.example/browse/WEB-1|WEB-1> · ',
    );
  });

  test('an address cannot end the mark it is in', () => {
    expect(headline(anIssueAnswer({ link: 'https://tracker.example/?a=1|<!here>' }))).toContain(
      '*<https://tracker.example/?a=1%7C%3C!here%3E|WEB-1> · ',
    );
  });

  test('a cut history is in the headline, and a row of its own without a share', () => {
    const { message } = aView(
      anIssueAnswer({
        history: {
          complete: false,
          unknownFrom: null,
          unknownUntil: at - 3_000_000,
          reason: 'only 2 of 9 entries',
        },
        ...{
          unknown: { from: at - 4 * day, until: at - 3_000_000, ms: 1_000_000 },
          startedAt: null,
          before: [],
        },
      }),
    );
    expect(message.text).toContain('History starts Nov 18; earlier time is unknown.');
    expect(message.text).toContain('Unknown: Times –, Time 16m 40s, Share –');
    expect(message.text).toContain('history not complete');
  });

  test('a change that contradicts the state before it is said', () => {
    expect(aView(anIssueAnswer({ contradictions: 2 })).message.text).toContain(
      'History complete (it contradicts itself at 2 steps).',
    );
  });

  test('where nothing is known, nothing is made up', () => {
    const { text } = aView(
      anIssueAnswer({ current: null, assignee: null, stages: [], before: [], startedAt: null }),
    ).message;
    expect(text).toContain('Status unknown.');
    expect(text).not.toContain('So far');
  });
});

describe('title without query', () => {
  const query = 'project in (WEB, OPS) AND key != OPS-1 AND assignee = "Ada King"';

  test.each([
    [query, 'the filter'],
    [`${query} last month`, 'the filter last month'],
    [`weekly jql ${query}`, 'weekly jql the filter'],
    [query.replaceAll('"', '“').replaceAll(' ', '  '), 'the filter'],
    [`${query.slice(0, 59)}… last month`, 'the filter last month'],
    [`${query.slice(0, 59)}…`, 'the filter'],
    ['WEB, OPS', 'WEB, OPS'],
    ['assignee me', 'assignee me'],
  ])('%s', (title, shown) => {
    expect(titleWithoutQuery(title, query, 'the filter')).toBe(shown);
  });

  test('a title stays where there is no query, and where it is empty', () => {
    expect(titleWithoutQuery('WEB', null, 'the filter')).toBe('WEB');
    expect(titleWithoutQuery('everything', '', 'the filter')).toBe('everything');
  });
});
