import type { Provenance } from '../../model/table.ts';
import { incompleteText } from '../../output/table-records.ts';
import { sideText } from './doubt-lines.ts';
import { type Said, say } from './wording.ts';

/** What is to be said before figures whose histories are not whole (`side`: of several); nothing where all are. */
export function incompleteWarning(provenance: Provenance, side: string | null = null): readonly Said[] {
  const text = incompleteText(provenance);
  return text === '' ? [] : [say(({ words }) => `${sideText(side, words)}Not complete: ${text}.`)];
}
