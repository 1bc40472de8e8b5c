import type { ReportRequest } from '../../model/request.ts';
import type { ReportingApi } from '../reporting.ts';

/**
 * The reporting port for one question: dates are read in the zone of the question, whoever asks it again, unless a
 * request names another.
 */
export function onClocksOf(
  { timeZone }: { readonly timeZone: string },
  reporting: ReportingApi,
): ReportingApi {
  const inZone = (request: ReportRequest) => requestInZone(request, timeZone);
  return {
    ...reporting,
    report: (request) => reporting.report(inZone(request)),
    open: (request, ...more) => reporting.open(inZone(request), ...more),
    slices: (request) => reporting.slices(inZone(request)),
    count: (request) => reporting.count(inZone(request)),
    contents: (request) => reporting.contents(inZone(request)),
    check: (request) => reporting.check(inZone(request)),
  };
}

/** A request whose dates are read in a zone, unless it names another. */
export function requestInZone(request: ReportRequest, timeZone: string): ReportRequest {
  return { ...request, timeZone: request.timeZone ?? timeZone };
}
