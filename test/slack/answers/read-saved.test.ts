import { describe, expect, test } from '#jest';
import { readParameters } from '../../../src/api/parameters/saved-report.ts';
import type { ParameterSet } from '../../../src/model/parameter-set.ts';
import { savedSets } from '../../../src/slack/answers/report/read-saved.ts';
import { readWords } from '../../../src/slack/ask/read-question.ts';
import { anAsking } from '../../support/an-asking.ts';

describe('saved names', () => {
  const aSet = (id: string, name: string, ownerId = 'ada'): ParameterSet => ({
    id,
    name,
    ownerId,
    public: ownerId !== 'ada',
    report: {},
    createdAt: 0,
    updatedAt: 0,
  });

  const sets = [
    aSet('s1', 'Team pace'),
    aSet('s2', 'team  pace', 'ben'),
    aSet('s3', 'Review', 'ben'),
    aSet('s4', 'review', 'cid'),
    aSet('s5', '"Review" by "team"'),
    aSet('s6', 'سرعة'),
    aSet('s7', 'a \n b'),
    aSet('s8', 'back`tick'),
  ];
  const asking = anAsking({ parameterSets: async () => sets });

  test('what a set holds and no report takes is named', async () => {
    const report = readParameters({ reportType: 'statusDuration', calender: 'Berlin' });
    const misspelt = anAsking({ parameterSets: async () => [{ ...aSet('s1', 'Team pace'), report }] });
    const { remark } = await readWords('saved Team pace', misspelt);
    expect(remark).toBe('No report takes `calender`, so this ignores it.');
  });

  test.each([
    ['Team pace', 's1'],
    ['TEAM   pace', 's1'],
    ['"team pace"', 's1'],
    ['s2', 's2'],
    ['"Review" by "team"', 's5'],
    ['\u2068سرعة\u2069', 's6'],
    ['a b', 's7'],
  ])('saved %s is the set %s', async (name, setId) => {
    expect((await readWords(`saved ${name}`, asking)).question).toMatchObject({ kind: 'saved', setId });
  });

  test('a name that others share is told with a line and an owner for each', async () => {
    await expect(readWords('saved review', asking)).rejects.toMatchObject({
      details: [
        'Several saved reports are called "review". Try: /tis saved s3 (by ben), /tis saved s4 (by cid).',
      ],
    });
  });

  test('the list gives a line for each set that tells just that one, and says whose it is', async () => {
    const { text } = savedSets(sets, 'ada', new Map([['ben', { name: 'Ben *Tor* <!channel>' }]]));
    expect(text.split('\n').slice(1)).toEqual([
      '*Team pace* (yours)  `/tis saved Team pace`',
      '*team pace* (by Ben *Tor* &lt;!channel&gt;)  `/tis saved s2`',
      '*Review* (by Ben *Tor* &lt;!channel&gt;)  `/tis saved s3`',
      '*review* (by cid)  `/tis saved s4`',
      '*"Review" by "team"* (yours)  `/tis saved "Review" by "team"`',
      '*\u2068سرعة\u2069* (yours)  `/tis saved \u2068سرعة\u2069`',
      '*a b* (yours)  `/tis saved s7`',
      '*back`tick* (yours)  `/tis saved s8`',
    ]);
    for (const [i, [, line = '']] of [...text.matchAll(/`\/tis (saved [^`]+)`/g)].entries()) {
      expect((await readWords(line, asking)).question).toMatchObject({ setId: sets[i]?.id });
    }
  });
});
