import { mkdirSync, writeFileSync } from 'node:fs';
import { folders, readAnswers, replay, worlds, writeAnswers } from './replay.ts';

/** `npm run record [WORLD…]` writes the answers of today; see `recorded.test.ts`. */
const named = process.argv.slice(2);
mkdirSync(folders.answers, { recursive: true });
for (const world of named.length > 0 ? named : worlds) {
  const before = readAnswers(world);
  const answers = await replay(world, null);
  writeFileSync(`${folders.answers}${world}.txt`, writeAnswers(answers));
  const changed = [...answers].filter(([question, answer]) => before.get(question) !== answer);
  console.log(`${world}: ${answers.size} answers, ${changed.length} new or changed`);
}
