import { describe, expect, test } from '#jest';
import type { FieldContent, Issue } from '../../../src/model/issue.ts';
import { startLiving } from './start-sync.ts';

const FLAGGED = 'customfield_10021';
const impediment = { id: '10019', name: 'Impediment' };

async function start() {
  const { time, tracker, issues, process } = await startLiving([]);
  const fill = (id: string, content: FieldContent, changes: Issue['changes'] = []) => {
    const issue = tracker.kept.get(id);
    if (issue === undefined) throw new Error(`There is no issue ${id}.`);
    const fields = { ...issue.fields, [FLAGGED]: content };
    (tracker.kept as Map<string, Issue>).set(id, { ...issue, fields, changes });
  };
  return {
    /** An issue that has the flag now: it says which id the name has. */
    flagged: () => fill(tracker.create('DEMO'), [impediment]),
    /** An issue that had the flag, of which the changelog has the name alone. */
    unflagged() {
      const value = { id: 'Impediment', name: 'Impediment' };
      const change = { entry: '1', item: 0, field: FLAGGED, from: value, to: null, by: null };
      fill(tracker.create('DEMO'), [], [{ ...change, at: time.now }]);
    },
    /** A turn, a minute later; of another process where none is given. */
    async turn(sync = process(tracker)) {
      time.now += 60_000;
      await sync.turn();
      return sync;
    },
    /** What the change of an issue says of the value before. */
    was: async (key: string) => (await issues.issue(key))?.changes[0]?.from,
    issues,
  };
}

describe.each(['the same process', 'another process'])('in a later turn of %s', (which) => {
  const isSame = which === 'the same process';

  test('a value of a history has the id that an earlier turn has shown', async () => {
    const { flagged, unflagged, turn, was } = await start();
    flagged();
    const sync = await turn();
    unflagged();
    await turn(isSame ? sync : undefined);
    expect(await was('DEMO-2')).toEqual(impediment);
  });

  test('a value of a stored history gets the id once an issue shows it, and other issues stay as they are', async () => {
    const { flagged, unflagged, turn, was, issues } = await start();
    unflagged();
    const sync = await turn();
    expect(await was('DEMO-1')).toEqual({ id: 'Impediment', name: 'Impediment' });
    flagged();
    await turn(isSame ? sync : undefined);
    expect(await was('DEMO-1')).toEqual(impediment);
    const revision = await issues.revision();
    await turn(isSame ? sync : undefined);
    expect(await issues.revision()).toBe(revision);
  });
});
