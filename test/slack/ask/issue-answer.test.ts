import { millisecondsInHour } from 'date-fns/constants';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { titleWithoutQuery } from '../../../src/questions/view/subject-words.ts';
import { answerView } from '../../../src/slack/ask/answer-view.ts';
import { anIssueAnswer, aRun, officeHours, provenanceOf } from '../../support/an-answer.ts';
import { fixture } from '../../support/fixture.ts';
import { exportFile, jiraIssue } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

describe('tis', () => {
  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  beforeAll(async () => {
    place = await startDwellInSlack({ at: '2022-06-01T00:00:00.000Z' });
    const files = ['jirametrics-testdata.issues.json', 'titanium-daemon.issues.json.gz'];
    const moved = jiraIssue('KITE-2', { created: '2022-05-30T00:00:00.000Z' }).onCloud();
    const move = { field: 'Key', from: null, fromString: 'RAFT-8', to: null, toString: 'KITE-2' };
    moved.changelog?.histories.push({ id: '1', created: '2022-05-31T00:00:00.000+0000', items: [move] });
    await place.dwell.types('import', ...files.map(fixture), exportFile([moved]));
  });
  afterAll(() => place.stop());
  afterEach(() => {
    for (const message of place.slack.messages()) expect(message.onlyFor).toBe('U0ADA');
  });

  test.each(['/tis RAFT-8', '/tis raft-8'])(
    '%s answers of the issue that had the key before',
    async (line) => {
      const [message] = await place.asks(line);
      expect(JSON.stringify(message?.blocks)).toContain('*KITE-2* What KITE-2 is about');
    },
  );

  test('/tis KEY tells where the time went, what the issue is doing now and since when', async () => {
    const [message] = await place.asks('/tis SP-10');
    expect(message?.blocks).toMatchObject([
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*SP-10* Check in people at an event\n*Done* for *267d 19h*, since <!date^1630902866^{date_short_pretty} at {time}|2021-09-06 04:34 UTC>, nobody assigned.',
        },
      },
      {
        type: 'data_visualization',
        title: expect.stringContaining('SP-10'),
        chart: {
          type: 'pie',
          segments: [
            { label: 'Backlog', value: 71.97 },
            { label: 'In Progress', value: 7.44 },
            { label: 'Other', value: 0.00096 },
          ],
        },
      },
      {
        type: 'table',
        column_settings: [{ is_wrapped: true }, { align: 'right' }, { align: 'right' }, { align: 'right' }],
        rows: [
          ['Status', 'Visits', 'Time', 'Share'],
          ['Backlog', '1', '71d 23h', '21 %'],
          ['Selected for Development', '2', '1m 17s', '<1 %'],
          ['In Progress', '2', '7d 10h', '2 %'],
          ['Review', '1', '4s', '<1 %'],
          ['Done (now)', '1', '267d 19h', '77 %'],
          ['Total', '7', '347d 5h', '100 %'],
        ].map((cells) => cells.map((text) => ({ type: 'raw_text', text }))),
      },
      {
        type: 'section',
        text: {
          text: 'Left out of the chart: Done, which counts as done. Other in the chart: Selected for Development, Review.',
        },
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: 'Calendar 24/7 · as of <!date^1654041600^{date_short_pretty} at {time}|2022-06-01 00:00 UTC> · data as of <!date^1654041600^{time}|00:00 UTC>, just now · history complete',
          },
        ],
      },
      {
        type: 'actions',
        elements: ['share-answer', 'why-answer', 'export-answer'].map((action_id) => ({
          type: 'button',
          action_id,
          value: expect.stringMatching(/^[a-z0-9]{10}$/),
        })),
      },
    ]);
  });

  test('the plain text says the same', async () => {
    const [message] = await place.asks('/tis SP-10');
    expect(message?.text).toBe(
      'SP-10 Check in people at an event. Done for 267d 19h, since 2021-09-06 04:34 UTC, nobody assigned. ' +
        'Backlog 71d 23h (1 visit, 21 %); Selected for Development 1m 17s (2 visits, &lt;1 %); ' +
        'In Progress 7d 10h (2 visits, 2 %); Review 4s (1 visit, &lt;1 %); Done (now) 267d 19h (1 visit, 77 %); ' +
        'Total 347d 5h (7 visits, 100 %). Left out of the chart: Done, which counts as done. Other in the chart: Selected for Development, Review. Calendar 24/7 · as of 2022-06-01 00:00 UTC · ' +
        'data as of 00:00 UTC, just now · history complete.',
    );
  });

  test('an issue whose history is unknown says so instead of telling a time', async () => {
    const [message] = await place.asks('/tis daemon-1');
    expect(message?.text).toContain('Resolved, since when is not known, with User 148.');
    expect(message?.text).toContain('History unknown: the import carried no changelog for this issue.');
    expect(message?.text).toContain('history not complete');
    expect(message?.blocks?.map((block) => block.type)).toEqual(['section', 'section', 'context', 'actions']);
  });

  test('several keys get a table each, each key once', async () => {
    const messages = await place.asks('/tis SP-1, sp-2 SP-1', 2);
    expect(messages.map((message) => message.text.split(' ')[0])).toEqual(['SP-1', 'SP-2']);
  });

  test('a pasted link is as good as a key', async () => {
    const [message] = await place.asks('/tis <https://tracker.example/browse/SP-2|SP-2>');
    expect(message?.text).toMatch(/^SP-2 /);
  });

  test('/tis alone opens the report builder', async () => {
    await place.slack.types('/tis');
    const view = await place.slack.modal();
    expect(view).toMatchObject({ title: { text: 'Report builder' } });
    await place.slack.dismisses();
  });

  describe('what cannot be told gets a friendly answer with an example that works', () => {
    const example = async (text: string) => {
      const [, key] = /Try `(\/tis [A-Z]+-\d+)`/.exec(text) ?? [];
      expect(key).toBeDefined();
      const [message] = await place.asks(key ?? '');
      expect(message?.text).toContain('as of');
    };

    test('an unknown key', async () => {
      const [message] = await place.asks('/tis WEB-404');
      expect(message?.text).toMatch(/^I know no issue `WEB-404`\. Try `/);
      await example(message?.text ?? '');
    });

    test('a known and an unknown key', async () => {
      const [told, remark] = await place.asks('/tis SP-1 WEB-404', 2);
      expect(told?.text).toMatch(/^SP-1 /);
      expect(remark?.text).toMatch(/^I know no issue `WEB-404`/);
    });

    test.each([
      ['how long does it take?', 'I couldn\'t find a project or an issue "how long does it take?".'],
      ['<script>', 'I couldn\'t find a project or an issue "&lt;script&gt;".'],
      ['<!channel>', 'I couldn\'t find a project or an issue "&lt;!channel&gt;".'],
      ['*bold* `code`', 'I couldn\'t find a project or an issue "*bold* `code`".'],
      ['🙂', 'I couldn\'t find a project or an issue "🙂".'],
      ['-1', 'I couldn\'t find a project or an issue "-1".'],
      ['wekly', 'Did you mean /tis weekly?'],
    ])('garbage: %s', async (garbage, answer) => {
      const [message] = await place.asks(`/tis ${garbage}`);
      expect(message?.text).toContain(answer);
      await example(message?.text ?? '');
    });

    test('a key with words behind it that mean nothing', async () => {
      const [told, remark] = await place.asks('/tis SP-1 *bold* `code`', 2);
      expect(told?.text).toMatch(/^SP-1 /);
      expect(remark?.text).toMatch(/^`\*bold\*`, `code` are no issue keys\. Try `/);
    });

    test('a very long paste', async () => {
      const [message] = await place.asks(`/tis ${'x'.repeat(5000)}`);
      expect(message?.text.length).toBeLessThan(400);
    });

    test('more issues than one answer holds', async () => {
      const messages = await place.asks('/tis SP-1 SP-2 SP-10 SP-13 SP-14 SP-15', 5);
      expect(messages.at(-1)?.text).toBe('I tell 4 issues at once; ask again for `SP-14`, `SP-15`.');
    });
  });

  test('/tis help tells what there is to ask', async () => {
    const [message] = await place.asks('/tis HELP');
    expect(message?.text).toContain('/tis KEY [KEY…]: the time an issue spent in each status');
    expect(message?.text).toMatch(/Try `\/tis [A-Z]+-\d+`/);
  });
});

describe('issue answer', () => {
  const at = Date.parse('2026-11-18T12:00:00Z');

  const privately = (answer: Answer) =>
    answerView(answer, {
      place: 'private',
      run: aRun(answer.question),
      part: { start: 0, size: 10 },
      sharedBy: null,
      timeZone: 'UTC',
    });
  const headline = (answer: Answer) => JSON.stringify(privately(answer).message.blocks[0]);

  test('an issue says what it is doing now before anything else', () => {
    expect(headline(anIssueAnswer())).toContain(
      '*WEB-1* Basket loses its items\\n*Doing* for *1d*, since <!date^1794916800^{date_short_pretty} at {time}|2026-11-17 12:00 UTC>, with *Ada*.',
    );
  });

  test('the text tells every status, so that nobody needs the blocks', () => {
    expect(privately(anIssueAnswer()).message.text).toBe(
      'WEB-1 Basket loses its items. Doing for 1d, since 2026-11-17 12:00 UTC, with Ada. To Do 3d (1 visit, 75 %); Doing (now) 1d (1 visit, 25 %); Total 4d (2 visits, 100 %). Calendar 24/7 · as of 2026-11-18 12:00 UTC · sample data · history complete.',
    );
  });

  test('in office hours a day is a working day, and the answer says so', () => {
    const answer = anIssueAnswer({
      statuses: [
        {
          status: 'Doing',
          category: 'In Progress',
          visits: 1,
          ms: 20 * millisecondsInHour,
          share: 1,
          now: true,
        },
      ],
      totalMs: 20 * millisecondsInHour,
      provenance: provenanceOf(1, { calendar: officeHours }),
    });
    expect(privately(answer).message.text).toContain('Doing (now) 2d 4h');
    expect(privately(answer).message.text).toContain('1d is a working day of 8h');
  });

  test('names from the tracker cannot be mistaken for marks of Slack', () => {
    const answer = anIssueAnswer({
      summary: '<!channel> & <https://evil.example|click>',
      assignee: '<@U1>',
    });
    expect(headline(answer)).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;');
    expect(headline(answer)).toContain('*&lt;@U1&gt;*');
    expect(privately(answer).message.text).not.toMatch(/<[!@h]/);
  });

  test('the key leads to the issue where the tracker tells its address', () => {
    expect(headline(anIssueAnswer({ link: 'https://tracker.example/browse/WEB-1' }))).toContain(
      '*<https://tracker.example/browse/WEB-1|WEB-1>*',
    );
  });

  test('an address cannot end the mark it stands in', () => {
    expect(headline(anIssueAnswer({ link: 'https://tracker.example/?a=1|<!here>' }))).toContain(
      '*<https://tracker.example/?a=1%7C%3C!here%3E|WEB-1>*',
    );
  });

  test('a cut history is a line of the table, a warning, and part of the text', () => {
    const { message } = privately(
      anIssueAnswer({
        history: {
          complete: false,
          unknownFrom: null,
          unknownUntil: at - 3_000_000,
          reason: 'only 2 of 9 entries',
        },
        unknown: { from: at - 4_000_000, until: at - 3_000_000, ms: 1_000_000, share: 0.25 },
      }),
    );
    expect(JSON.stringify(message.blocks)).toContain(
      ':warning: History cut before <!date^1795000200^{date_short_pretty} at {time}|2026-11-18 11:10 UTC>: only 2 of 9 entries',
    );
    expect(message.text).toContain('History cut before 2026-11-18 11:10 UTC: only 2 of 9 entries.');
    expect(message.text).toContain('Unknown 16m 40s (– visits, 25 %)');
    expect(message.text).toContain('history not complete');
  });

  test('a change that contradicts the state before it is told', () => {
    expect(privately(anIssueAnswer({ contradictions: 2 })).message.text).toContain(
      'History complete (it contradicts itself at 2 steps).',
    );
  });

  test('where nothing is known, nothing is made up', () => {
    const { text } = privately(
      anIssueAnswer({ current: null, statusNow: null, assignee: null, statuses: [], totalMs: 0 }),
    ).message;
    expect(text).toContain('Its status now is not known, nobody assigned.');
    expect(text).not.toContain('Total');
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
  ])('%s', (title, told) => {
    expect(titleWithoutQuery(title, query, 'the filter')).toBe(told);
  });

  test('a title stays where there is no query, and where it is empty', () => {
    expect(titleWithoutQuery('WEB', null, 'the filter')).toBe('WEB');
    expect(titleWithoutQuery('everything', '', 'the filter')).toBe('everything');
  });
});
