import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IssueStory, StatusTime } from '../../src/api/tell-issue.ts';
import { checkBlocks } from '../../src/block-kit/check-blocks.ts';
import { issueMessage } from '../../src/slack/messages/issue-message.ts';
import { aProvenance } from '../support/a-provenance.ts';

const at = Date.parse('2026-03-18T12:00:00Z');
const story: IssueStory = {
  key: 'WEB-1',
  summary: 'Basket loses its items',
  link: null,
  assignee: 'Ada',
  created: at - 4_000_000,
  statuses: [{ status: 'Doing', visits: 1, ms: 4_000_000, share: 1, now: true }],
  totalMs: 4_000_000,
  current: { columnId: '3', title: 'Doing', since: at - 4_000_000, forMs: 4_000_000 },
  statusNow: 'Doing',
  unknown: null,
  history: { complete: true },
  contradictions: 0,
  provenance: aProvenance({ askedAt: at, asOf: at, issues: 1 }),
};

const headline = (message: ReturnType<typeof issueMessage>) => JSON.stringify(message.blocks[0]);

test('names from the tracker cannot be mistaken for marks of Slack', () => {
  const message = issueMessage({
    ...story,
    summary: '<!channel> & <https://evil.example|click>',
    assignee: '<@U1>',
  });
  expect(headline(message)).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;');
  expect(headline(message)).toContain('*&lt;@U1&gt;*');
  expect(message.text).not.toMatch(/<[!@h]/);
});

test('the key leads to the issue where the tracker tells its address', () => {
  const message = issueMessage({ ...story, link: 'https://tracker.example/browse/WEB-1' });
  expect(headline(message)).toContain('*<https://tracker.example/browse/WEB-1|WEB-1>*');
});

test('the sample is told to be a sample', () => {
  expect(JSON.stringify(issueMessage(story).blocks.at(-2))).toContain('sample data');
});

test('a cut history is a line of the table, a warning, and part of the text', () => {
  const message = issueMessage({
    ...story,
    history: {
      complete: false,
      unknownFrom: null,
      unknownUntil: at - 3_000_000,
      reason: 'only 2 of 9 entries',
    },
    unknown: { from: at - 4_000_000, until: at - 3_000_000, ms: 1_000_000, share: 0.25 },
  });
  expect(JSON.stringify(message.blocks)).toContain(
    ':warning: History cut before <!date^1773832200^{date_short_pretty} at {time}|2026-03-18 11:10 UTC>: only 2 of 9 entries',
  );
  expect(message.text).toContain('History cut before 2026-03-18 11:10 UTC: only 2 of 9 entries.');
  expect(message.text).toContain('Unknown 16m 40s (– visits, 25 %)');
  expect(message.text).toContain('history not complete');
});

test('a change that contradicts the state before it is told', () => {
  const { text } = issueMessage({ ...story, contradictions: 2 });
  expect(text).toContain('History complete (it contradicts itself at 2 steps).');
});

describe('whatever the tracker calls things', () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 400 });
  const anyTime: fc.Arbitrary<StatusTime> = fc.record({
    status: anyText,
    visits: fc.integer({ min: 0, max: 500 }),
    ms: fc.integer({ min: 0, max: 10 ** 12 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    now: fc.boolean(),
  });

  test('the message stays within Slack’s limits', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.string({ unit: 'grapheme', minLength: 0, maxLength: 4000 }),
        fc.array(anyTime, { maxLength: 150 }),
        (assignee, summary, statuses) => {
          const message = issueMessage({ ...story, assignee, summary, statuses });
          expect(checkBlocks(message.blocks, 'message')).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
