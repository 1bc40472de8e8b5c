import { dateText } from '../../time/date-text.ts';
import type { FailureReason } from '../refusal.ts';
import type { HttpParts } from '../route.ts';

/** What is told of a failure, however it is worded. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly reason: FailureReason;
  /** Whole sentences. */
  readonly details: readonly string[];
  /** The same by the parameter or member they are about. */
  readonly fields: Readonly<Record<string, string>>;
  /** Who asks came with a token of ours that does not hold any more. */
  readonly lapsed: boolean;
}

/** A failure as the contract of reports words it; `beside` is what the path of the request named. */
export function failureJson(
  { status, message, reason, details, fields }: Failure,
  { version, now, timeZone }: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
  beside: { readonly exportId?: string },
) {
  return {
    status,
    message,
    reason,
    messages: details.length === 0 ? null : details,
    ...(Object.keys(fields).length === 0 ? {} : { errors: fields }),
    pluginVersion: version,
    time: dateText(now(), 'yyyy-MM-dd HH:mm:ss', timeZone),
    ...beside,
  };
}
