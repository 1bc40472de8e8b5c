import { describe, expect, test } from '#jest';
import { altered, refusal } from '../../support/stand-in-jira-faults.ts';
import { type StartedTracker, startTracker } from './start-tracker.ts';

const modes = ['cloud', 'dataCenter'] as const;
const MANY = 1000;

describe('issues asked for by id', () => {
  test('that Jira fails to tell together are asked for one by one', async () => {
    const started = await startTracker({ issues: 20 });
    const { tracker, jira, world } = started;
    const [well = '', slow = '', gone = '', broken = ''] = world.ids();
    world.remove(gone);
    const issueErrors = [slow, gone, broken].map((id) => ({
      id,
      errorMessage: 'Could not be fetched in time.',
    }));
    const issues = [world.whole(well)].map(({ id, key, fields }) => ({ id, key, fields }));
    jira.faults.push(
      '/issue/bulkfetch',
      altered((body) => ({ ...Object(body), issueErrors, issues })),
    );
    jira.faults.push(`/issue/${broken}`, refusal(500, 'Field broke.'), MANY);
    const { found, missing, failed } = await tracker.loadIds([well, slow, gone, broken]);
    expect(found.map(({ id }) => id)).toEqual([well, slow]);
    expect(missing).toEqual([gone]);
    expect(failed).toEqual([{ id: broken, reason: expect.stringContaining('Field broke') }]);
  });

  test.each(modes)('are asked for in smaller portions where %s cannot bear all of them', async (mode) => {
    const started = await startTracker({ mode, issues: 20 });
    const { tracker, jira, world } = started;
    const ids = [...world.ids()];
    const [, poisoned = ''] = ids;
    const asksFor = ({ body }: { readonly body: unknown }) =>
      JSON.stringify(body)?.includes(poisoned) ?? false;
    jira.faults.push(asksFor, refusal(500, 'Out of memory.'), MANY);
    const { found, missing, failed } = await tracker.loadIds(ids);
    expect(found).toHaveLength(19);
    expect(missing).toEqual([]);
    expect(failed).toEqual([{ id: poisoned, reason: expect.stringContaining('Out of memory') }]);
  });

  test.each(modes)('fail as a whole where %s fails for each of them', async (mode) => {
    const { tracker, jira, world } = await startTracker({ mode, issues: 20 });
    await tracker.site();
    jira.faults.push(/bulkfetch|search/, refusal(500, 'Down.'), MANY);
    await expect(tracker.loadIds([...world.ids()])).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('are all found in Data Center that hands out fewer at a time', async () => {
    const started = await startTracker({ mode: 'dataCenter', issues: 20 });
    const { tracker, jira, world } = started;
    const fewer = altered((body) => ({ ...Object(body), issues: Object(body).issues.slice(0, 7) }));
    jira.faults.push('/search', fewer, 3);
    const { found, missing } = await tracker.loadIds([...world.ids()]);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(world.ids()));
    expect(missing).toEqual([]);
  });

  describe.each(modes)('of %s', (mode) => {
    /** Issues that are told by id, and that a search refuses to hear of. */
    function archive({ jira }: StartedTracker, ids: readonly string[], isNamed: boolean): void {
      for (const id of ids) {
        const sentence = isNamed ? `An issue with key '${id}' does not exist for field 'id'.` : 'No.';
        jira.faults.push((call) => isRefused(call, id), refusal(400, sentence), MANY);
      }
    }
    const isRefused = (call: { readonly path: string; readonly body: unknown }, id: string) =>
      call.path.startsWith('/search') &&
      new RegExp(`\\bid in \\([^)]*\\b${id}\\b`).test(String(Object(call.body).jql)) &&
      Object(call.body).validateQuery !== false;

    test.each([true, false])(
      'are found by a search unless they are archived, named or not: %s',
      async (isNamed) => {
        const started = await startTracker({ mode, issues: 40 });
        const { tracker, world } = started;
        const ids = [...world.ids()];
        archive(started, ids.slice(3, 6), isNamed);
        const found = await tracker.findable(ids);
        expect(found).toEqual(new Set(ids.toSpliced(3, 3)));
        const searches = started.jira.calls.filter(({ path }) => path.startsWith('/search'));
        expect(searches.length).toBeLessThan(isNamed ? 9 : 30);
        expect(await tracker.findable([])).toEqual(new Set());
      },
    );

    test('are found though a refusal names their number for something else', async () => {
      const started = await startTracker({ mode, issues: 40 });
      const ids = [...started.world.ids()];
      const [wronged = '', archived = ''] = ids;
      const sentence = `Issue ${archived} cannot be searched for (reference ${wronged}).`;
      started.jira.faults.push((call) => isRefused(call, archived), refusal(400, sentence), 1);
      started.jira.faults.push(
        (call) => isRefused(call, ids[39] ?? ''),
        refusal(400, `Not ${ids[39]} (reference ${wronged}).`),
        MANY,
      );
      const found = await started.tracker.findable(ids);
      expect(found.has(wronged)).toBe(true);
      expect(found).toEqual(new Set(ids.toSpliced(39, 1).toSpliced(1, 1)));
    });

    test('are kept to the wish where some of them are archived', async () => {
      const started = await startTracker({ mode, issues: 40, jql: 'created >= "1970-01-01 00:00"' });
      const ids = [...started.world.ids()];
      archive(started, ids.slice(3, 6), true);
      const { found, missing } = await started.tracker.loadIds(ids);
      expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.toSpliced(3, 3)));
      expect(missing).toEqual(ids.slice(3, 6));
    });

    test('are not called missing where it is the wish that is refused', async () => {
      const { tracker, world } = await startTracker({ mode, issues: 20, jql: 'team = Lark' });
      await expect(tracker.loadIds([...world.ids()])).rejects.toMatchObject({ code: 'bad-request' });
      await expect(tracker.findable([...world.ids()])).rejects.toMatchObject({ code: 'bad-request' });
    });
  });
});
