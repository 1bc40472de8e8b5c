/** The meaning of a finding: `problem`, something must be mended; `warning`, it should be soon; `note`, it is good to know. */
export type FindingLevel = 'ok' | 'note' | 'warning' | 'problem';

/** One finding of a check, as a sentence or a part of one, without secrets; `cure` is what to do, in sentences. */
export interface Finding {
  readonly level: FindingLevel;
  readonly text: string;
  readonly cure: string | null;
}

/** A finding that all is right. */
export function fine(text: string): Finding {
  return { level: 'ok', text, cure: null };
}

/** A finding that is good to know. */
export function note(text: string, cure: string | null = null): Finding {
  return { level: 'note', text, cure };
}

/** A finding that something should be mended soon. */
export function warning(text: string, cure: string | null = null): Finding {
  return { level: 'warning', text, cure };
}

/** A finding that something must be mended. */
export function problem(text: string, cure: string | null = null): Finding {
  return { level: 'problem', text, cure };
}

/** The examination of an installation. */
export interface Doctor {
  /**
   * Runs all checks at once, and yields the findings of each in the order of their list. `isThorough`: those that take
   * minutes as well. `onWait` is called with the name of the check that is waited for.
   */
  examine(
    isThorough: boolean,
    onWait: (check: string) => void,
  ): AsyncIterable<{ readonly check: string; readonly findings: readonly Finding[] }>;
}
