import { incompleteText } from '../../formats/table-records.ts';
import type { Provenance } from '../../model/table.ts';
import { type Said, say } from './wording.ts';

/** What is to be said before figures whose histories are not whole; nothing where all are. */
export function incompleteWarning(provenance: Provenance): readonly Said[] {
  const text = incompleteText(provenance);
  return text === '' ? [] : [say(() => `Not complete: ${text}.`)];
}
