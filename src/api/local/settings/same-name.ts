import { foldedName } from '../../../issues/ids-and-names.ts';

/** Whether people would take two names for one: neither case nor blanks around them tell them apart. */
export function sameName(a: string, b: string): boolean {
  return foldedName(a) === foldedName(b);
}
