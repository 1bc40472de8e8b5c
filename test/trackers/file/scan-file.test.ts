import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '#jest';
import { readElement } from '../../../src/trackers/file/read-entry.ts';
import { createScanHere, type ScannedFile, scanInWorker } from '../../../src/trackers/file/scan-file.ts';
import { exportFile, isAssignedTo, jiraIssue, movesTo, searchResult } from '../../support/jira-export.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const issues = Array.from({ length: 800 }, (_, i) =>
  jiraIssue(`DEMO-${i + 1}`)
    .at('2026-03-03T09:00:00Z', movesTo('In Progress'), isAssignedTo('ada'))
    .at('2026-03-05T09:00:00Z', movesTo('Done'))
    .onCloud(),
);
const text = JSON.stringify(searchResult(...issues));

/** What a file tells, and why there is no more of it; progress as it was told last. */
async function toldBy({ file, batches, standIns }: ScannedFile) {
  const hash = createHash('md5');
  let shortened = 0;
  try {
    for await (const { elements, learnt } of batches) {
      standIns.learn(learnt);
      for (const element of elements) {
        if (element.shortBytes() !== null) shortened += 1;
        hash.update(JSON.stringify(readElement(element, { file, standIns })));
      }
    }
    return { told: hash.digest('hex'), shortened, problem: null };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { told: hash.digest('hex'), shortened, problem };
  }
}

describe('a file that another thread looks through', () => {
  test.each([
    ['plain', exportFile(text)],
    ['gzipped', exportFile(text, 'issues.json.gz')],
    ['broken off', exportFile(text.slice(0, -1000))],
    ['no list', exportFile('{"errorMessages":["no"]}')],
  ])('tells the same: %s', async (_, file) => {
    const progress: number[] = [];
    const there = await toldBy(scanInWorker(file, ({ bytes }) => progress.push(bytes)));
    const here = await toldBy(createScanHere()(file, () => {}));
    // Where chunks end is chance, and what is known by then with it.
    expect({ ...there, shortened: 0 }).toEqual({ ...here, shortened: 0 });
    if (there.problem === null) expect(there.shortened).toBeGreaterThan(issues.length / 2);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test('is damaged, or is not there', async () => {
    const damaged = exportFile(text, 'issues.json.gz');
    const cut = join(temporaryFolder(), 'cut.json.gz');
    writeFileSync(cut, readFileSync(damaged).subarray(0, -20));
    const nowhere = join(temporaryFolder(), 'nowhere.json');
    expect((await toldBy(scanInWorker(cut, () => {}))).problem).toBe(
      'the file is damaged gzip: unexpected end of file',
    );
    expect((await toldBy(scanInWorker(nowhere, () => {}))).problem).toBe('there is no such file');
  });

  test('nobody reads to its end', async () => {
    const long = exportFile(`${text}\n`.repeat(40));
    for await (const { elements } of scanInWorker(long, () => {}).batches) {
      expect(elements.length).toBeGreaterThan(0);
      break;
    }
  });
});
