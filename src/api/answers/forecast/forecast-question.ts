import type { MeasuredQuestion } from '../../../model/question.ts';
import type { Selection } from '../../../model/request.ts';

/**
 * A forecast. Of one key alone it is when that issue is finished, else of the issues of a selection when `issues` of them are
 * finished, or how many until a day. With neither, it is when all that are open are finished.
 */
export interface ForecastQuestion extends MeasuredQuestion {
  readonly kind: 'forecast';
  readonly selection: Selection;
  /** The id or the name of the sprint that the selection is; its issues are finished at the pace of their projects. */
  readonly sprint?: string;
  /** 1 or more. */
  readonly issues?: number;
  /** The last day that counts, yyyy-MM-dd. */
  readonly until?: string;
  /** Absent: one that follows from the question and the day. */
  readonly seed?: number;
}

/** The key of the one issue that a question is about; null for a question about many. */
export function onlyKey({ selection, issues, until }: ForecastQuestion): string | null {
  if (selection.by !== 'keys' || issues !== undefined || until !== undefined) return null;
  const [key, ...others] = selection.keys;
  return key === undefined || others.length > 0 ? null : key;
}
