import { describe, expect, test } from '#jest';
import { readAnswers, replay, worlds } from './replay.ts';

/*
 * Questions over every door, and the whole answers to them as they were recorded: what is built anew answers the same.
 *
 * `questions/*.txt` has a line for each question (`replay.ts` reads them); the first line says in which environment and
 * at which instant a Dwell is started for the file, and its questions are asked in order. `answers/*.txt` has the answers
 * by these lines. Where an answer is meant to change, `npm run record` (or `npm run record -- slack-tis` for one file)
 * writes the answers anew, and the difference is looked at before it is committed.
 */
describe.each(worlds)('%s', (world) => {
  test('answers as it did', async () => {
    const recorded = readAnswers(world);
    const answers = await replay(world, recorded);
    const differing = [...recorded.keys(), ...answers.keys()].filter(
      (question) => recorded.get(question) !== answers.get(question),
    );
    const told = (of: ReadonlyMap<string, string>) =>
      Object.fromEntries(
        [...new Set(differing)].slice(0, 5).map((question) => [question, of.get(question)?.split('\n')]),
      );
    expect(told(answers)).toEqual(told(recorded));
    expect(differing).toEqual([]);
  });
});
