import { foldedName } from '../../issues/ids-and-names.ts';
import type { AppError } from '../../model/error.ts';
import { quoted } from '../local/settings/quoted.ts';
import type { Access } from './access.ts';
import { afterwards, unavailable } from './why-refused.ts';

/** Whether a name is the one asked about: the service finds it without regard to case, and answers as it is stored. */
export function isSameName(asked: string, told: string): boolean {
  return foldedName(asked) === foldedName(told);
}

/** A service, or something before it, that answers another question: nobody shall take that for an answer to theirs. */
export function otherThanAsked(
  asked: string,
  told: string,
  { access, maybeSaved }: { readonly access: Access; readonly maybeSaved: boolean },
): AppError {
  return unavailable(
    `was asked about ${asked} and tells of ${told}.${afterwards({ maybeSaved }, access)}`,
    access,
  );
}

/** A name that came from outside, for a sentence. */
export function toldName(name: string, { hide }: Access): string {
  return quoted(hide(name));
}
