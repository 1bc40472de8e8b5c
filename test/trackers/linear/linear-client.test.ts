import { describe, expect, test } from '#jest';
import { linearKey } from '../../support/stand-in-linear.ts';
import { startLinear } from './start-linear.ts';

describe('the connection to Linear', () => {
  test('says who is there and how far its clock is ahead', async () => {
    const { world, tracker, linear } = await startLinear();
    world.create('ENG');
    expect(await tracker.connection.site()).toEqual({
      ...{ url: 'https://linear.app/acme', now: world.clock(), clockAheadMs: 0 },
    });
    const connectionFacts = [];
    for await (const one of tracker.connection.checkConnection({ issues: true, permissions: true }))
      connectionFacts.push(one);
    expect(connectionFacts).toEqual([
      { about: 'site', product: 'Linear', url: 'https://linear.app/acme' },
      { about: 'account', name: 'ada', email: 'ada@example.com' },
      { about: 'projects', count: 3 },
      { about: 'issues', count: 1, jql: null },
      { about: 'permissions', refusal: null },
    ]);
    linear.manners.account = 'gus';
    for await (const one of tracker.connection.checkConnection({ issues: false, permissions: true }))
      connectionFacts.push(one);
    expect(connectionFacts.at(-1)).toMatchObject({ refusal: expect.stringContaining('LINEAR_RIGHTS=rules') });
  });

  test('names the setting where the key is wrong, and not the key', async () => {
    const { tracker } = await startLinear({ apiKey: 'lin_api_wrong' });
    const failure = await tracker.connection.site().catch((error) => error);
    expect(failure).toMatchObject({ reason: 'credentials-refused' });
    expect(failure.message).toMatch(
      /^Linear at .* does not accept LINEAR_API_KEY \(query Identity, HTTP 401\)\./,
    );
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('lin_api_wrong');
  });

  test('waits until a limit that is used up is reset, and sends again', async () => {
    const { tracker, linear, waits } = await startLinear();
    linear.manners.limited = { times: 2, resetMs: 90_000 };
    await tracker.connection.site();
    expect(tracker.connection.requests()).toEqual({ sent: 3, repeated: 2, slowedDown: 2 });
    expect(waits.filter((ms) => ms >= 89_000)).toHaveLength(2);
  });

  test.each(['internal error', 'lock timeout'])(
    'sends again after the error %s, and gives up in the end',
    async (type) => {
      const { tracker, linear } = await startLinear();
      linear.manners.failing = { operation: 'Identity', type, status: 200, times: 2 };
      await tracker.connection.site();
      linear.manners.failing = { operation: 'Identity', type, status: 500, times: 100 };
      const failure = await tracker.connection.site().catch((error) => error);
      expect(failure).toMatchObject({ reason: 'tracker-unavailable' });
      expect(failure.message).toMatch(/This fails: .* for …, 6 times in a row\.$/);
      expect(failure.message).not.toContain(linearKey);
    },
  );
});

describe('a webhook of Linear', () => {
  test.each([
    ['about an issue', { type: 'Issue', action: 'remove', data: { id: 'one' } }, ['one']],
    ['about something else', { type: 'Comment', action: 'create', data: { id: 'two', issueId: 'one' } }, []],
    ['about an issue without an id', { type: 'Issue', action: 'update', data: {} }, null],
    ['that is none', { webhookEvent: 'jira:issue_updated' }, null],
    ['that is no object', 'Issue', null],
  ])('%s', async (_, body, ids) => {
    const { tracker } = await startLinear();
    expect(tracker.webhooks?.readIds(body)).toEqual(ids);
  });
});

describe('who can browse a team of Linear', () => {
  const about = {
    ...{ projects: ['ENG', 'OPS', 'SEC', 'GONE'], singles: [], unlevelled: () => [], unlevelledIn: () => 0 },
    lookUp: async () => [],
  };

  test.each([
    ['ada', ['ENG', 'OPS', 'SEC']],
    ['bob', ['ENG', 'OPS']],
    ['carl', ['ENG', 'OPS']],
    // A guest sees the teams they are in.
    ['gus', ['OPS']],
    ['nobody', []],
  ])('%s: %j', async (name, open) => {
    const { world, tracker } = await startLinear();
    const found = await tracker.permissions({ id: world.person(name) || 'nobody', name }, [], about);
    expect([...found.projects]).toEqual(open);
    expect([...found.closedProjects]).toEqual(about.projects.filter((key) => !open.includes(key)));
    expect(found).toMatchObject({ issues: new Set(), partly: new Set(), unasked: 0 });
  });

  test('is no one who was suspended', async () => {
    const { world, tracker } = await startLinear();
    for (const person of world.people) person.active = false;
    const found = await tracker.permissions({ id: world.person('ada'), name: 'ada' }, [], about);
    expect(found.projects.size).toBe(0);
  });

  test('fails with what helps where Linear does not say', async () => {
    const { world, tracker, linear } = await startLinear();
    linear.manners.failing = { operation: 'Member', type: 'forbidden', status: 403, times: 1 };
    await expect(
      tracker.permissions({ id: world.person('ada'), name: 'ada' }, [], about),
    ).rejects.toMatchObject({
      reason: 'tracker-permission-missing',
      details: [expect.stringContaining('LINEAR_API_KEY')],
    });
  });
});
