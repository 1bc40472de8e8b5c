import { describe, expect, test } from '@jest/globals';
import { checkBlocks } from '../../../src/block-kit/check-blocks.ts';
import type { Digest } from '../../../src/model/digest.ts';
import type { Status } from '../../../src/slack/status/gather-status.ts';
import { type PlaceStatus, statusMessage } from '../../../src/slack/status/status-message.ts';
import { aProvenance } from '../../support/a-provenance.ts';

const hours = 'In this channel everything counts.';

type Projects = Exclude<PlaceStatus['audience'], 'direct'>['projects'];
/** A channel in which only people of the workspace read. */
const among = (projects: Projects): PlaceStatus => ({
  hours,
  audience: { projects, outsiders: { kind: 'none' } },
});
const place = among(null);

function aStatus(more: Partial<Status> = {}): Status {
  return {
    provenance: aProvenance({}),
    known: { kind: 'known', user: { id: 'ada', name: 'Ada <!channel>' } },
    failedDigests: [],
    digests: 0,
    pausedWatches: [],
    watches: 0,
    closedProjects: [],
    ...more,
  };
}

describe('who somebody is', () => {
  test.each<[Status['known'], RegExp]>([
    [{ kind: 'known', user: { id: 'ada', name: 'Ada' } }, /\*You\* Ada \(ada\) in the tracker/],
    [{ kind: 'several', users: [] }, /several users of the tracker may be you, .*`\/tis link`/],
    [{ kind: 'unknown', because: 'Nobody has it.' }, /nobody I know .* Nobody has it\. .*`\/tis link`/],
    [null, /Slack does not tell at the moment who you are/],
  ])('%j', (known, told) => {
    expect(statusMessage(aStatus({ known }), place, '1.0.0').text).toMatch(told);
  });
});

describe('what may be told to all', () => {
  test('in the conversation with the app', () => {
    expect(statusMessage(aStatus(), { hours, audience: 'direct' }, '1.0.0').text).toMatch(
      /nobody but you reads here/,
    );
  });

  test.each<[Projects, RegExp]>([
    [null, /No admin has said/],
    [[], /may read of no project/],
    [
      [
        { key: 'WEB', withGuests: true },
        { key: 'APP', withGuests: false },
      ],
      /This channel may read of `WEB` \(with guests\), `APP`\. Only people of this workspace/,
    ],
  ])('%j', (projects, told) => {
    expect(statusMessage(aStatus(), among(projects), '1.0.0').text).toMatch(told);
  });

  test('projects that who asks cannot see are counted, not named', () => {
    const projects = ['OPS', 'WEB'].map((key) => ({ key, withGuests: false }));
    const { text } = statusMessage(aStatus({ closedProjects: ['OPS'] }), among(projects), '1.0.0');
    expect(text).toContain('This channel may read of `WEB`, and of 1 project you cannot see.');
    expect(text).not.toContain('OPS');
  });
});

test('what failed of one’s own is told with its reason', () => {
  const question = { kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' } as const;
  const lastRun = {
    digestId: 'a',
    due: 1,
    state: 'failed',
    note: {},
    attempts: 3,
    message: 'I am not in <#C1>.',
    finishedAt: 2,
  } as const;
  const failed: Digest = {
    id: 'a',
    owner: 'U1',
    title: 'Monday `morning`',
    question,
    place: { kind: 'owner' },
    schedule: { cron: '0 9 * * 1', timeZone: 'UTC' },
    workingDays: null,
    file: null,
    paused: false,
    createdAt: 0,
    nextDue: 3,
    lastRun,
  };
  const { text } = statusMessage(
    aStatus({ digests: 9, failedDigests: Array(8).fill(failed) }),
    place,
    '1.0.0',
  );
  expect(text).toContain('The digest `Monday morning` failed: I am not in &lt;#C1&gt;.');
  expect(text).toContain('… and 3 more.');
});

test('names nobody and keeps to Slack’s limits, however long things are', () => {
  const projects = Array.from({ length: 10_000 }, (_, i) => ({ key: `P${i}`, withGuests: i % 2 === 0 }));
  const { text, blocks } = statusMessage(aStatus(), among(projects), '1.0.0');
  expect(checkBlocks(blocks, 'message')).toEqual([]);
  expect(text).not.toContain('<!channel>');
  expect(text).toContain('*Dwell* 1.0.0');
});
