import type { AppError } from '../../model/error.ts';
import { foldedName } from '../../model/folded-name.ts';
import { quoted } from '../local/settings/quoted.ts';
import { afterwards, type HostedService, serviceUnavailable } from './hosted-service.ts';

/** Whether a name is the one asked about: the service finds it without regard to case, and answers as it is stored. */
export function isSameName(asked: string, told: string): boolean {
  return foldedName(asked) === foldedName(told);
}

/** A service, or something before it, that answers another question: nobody shall take that for an answer to theirs. */
export function otherThanAsked(
  asked: string,
  told: string,
  { service, maybeDone }: { readonly service: HostedService; readonly maybeDone: boolean },
): AppError {
  return serviceUnavailable(
    `was asked about ${asked} and tells of ${told}.${afterwards(maybeDone, service)}`,
    service,
  );
}

/** A name that came from outside, for a sentence. */
export function toldName(name: string, { hide }: HostedService): string {
  return quoted(hide(name));
}
