import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '#jest';
import { fileProblem } from '../../../src/trackers/file/read-bytes.ts';
import { readElement } from '../../../src/trackers/file/read-entry.ts';
import { type ScannedFile, scanFiles } from '../../../src/trackers/file/scan-file.ts';
import { scanThread } from '../../../src/trackers/file/scan-thread.ts';
import { exportFile, isAssignedTo, jiraIssue, movesTo, searchResult } from '../../support/jira-export.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const issues = Array.from({ length: 800 }, (_, i) =>
  jiraIssue(`DEMO-${i + 1}`)
    .at('2026-03-03T09:00:00Z', movesTo('In Progress'), isAssignedTo('ada'))
    .at('2026-03-05T09:00:00Z', movesTo('Done'))
    .onCloud(),
);
const text = JSON.stringify(searchResult(...issues));

/** What the files tell, and why there is no more of each. */
async function readAll(scanned: AsyncIterable<ScannedFile>) {
  const read: Awaited<ReturnType<typeof readFile>>[] = [];
  for await (const file of scanned) read.push(await readFile(file));
  return read;
}

async function readFile({ file, batches, standIns }: ScannedFile) {
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
    return { digest: hash.digest('hex'), shortened, problem: null };
  } catch (error) {
    const problem = fileProblem(error);
    return { digest: hash.digest('hex'), shortened, problem };
  }
}

describe('files that another thread looks through', () => {
  test('tell the same, one after another', async () => {
    const gzipped = exportFile(text, 'issues.json.gz');
    const cut = join(temporaryFolder(), 'cut.json.gz');
    writeFileSync(cut, readFileSync(gzipped).subarray(0, -20));
    const files = [
      ...[exportFile(text), gzipped, exportFile(text.slice(0, -1000)), cut],
      ...[exportFile('Issue key,Status'), join(temporaryFolder(), 'nowhere.json')],
      exportFile(issues.map((issue) => JSON.stringify(issue)).join('\n')),
      exportFile([searchResult(...issues.slice(0, 400)), searchResult(...issues.slice(400))]),
    ];
    const progress: string[] = [];
    const there = await readAll(scanFiles(files, ({ file }) => progress.push(file), scanThread()));
    const here = await readAll(scanFiles(files, () => {}));
    // Where chunks end is chance, and what is known by then with it.
    const alike = ({ digest, problem }: (typeof here)[number]) => ({ digest, problem });
    expect(there.map(alike)).toEqual(here.map(alike));
    expect(here.map(({ problem }) => problem)).toEqual([
      ...[null, null, expect.stringContaining('the file ends inside the entry')],
      ...['the file is damaged gzip: unexpected end of file', expect.stringContaining('this is CSV')],
      ...['there is no such file', null, null],
    ]);
    expect(there[0]?.shortened).toBeGreaterThan(issues.length / 2);
    expect(there.at(-2)?.shortened).toBeGreaterThan(issues.length / 2);
    expect(there.at(-1)?.shortened).toBe(2);
    expect(new Set(progress).size).toBeGreaterThan(1);
  });

  test('may be left before their end', async () => {
    const long = exportFile(`${text}\n`.repeat(40));
    for await (const { batches } of scanFiles([long, long], () => {}, scanThread())) {
      for await (const { elements } of batches) {
        expect(elements.length).toBeGreaterThan(0);
        break;
      }
      break;
    }
  });
});
