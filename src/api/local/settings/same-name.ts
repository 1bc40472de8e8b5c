import { foldedName } from '../../../issues/ids-and-names.ts';
import { NameTaken } from '../../../store/store.ts';

/** Whether people would take two names for one: neither case nor blanks around them tell them apart. */
export function sameName(a: string, b: string): boolean {
  return foldedName(a) === foldedName(b);
}

/**
 * Writes something with a name that must be unique; `refuse` fails where the name is taken, with what the user reads.
 * Where another process gives the name between that check and the write, the second check finds it.
 */
export async function withUniqueName<Result>(
  refuse: () => Promise<void>,
  write: () => Promise<Result>,
): Promise<Result> {
  await refuse();
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    await refuse();
    return write();
  }
}
