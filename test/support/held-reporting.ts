import type { ReportingApi } from '../../src/api/reporting/reporting-api.ts';

/** A reporting port whose lists stop at their end until they are let go, so that tests can look at them being read. */
export interface HeldReporting {
  readonly reporting: ReportingApi;
  /** How many lists were opened. */
  readonly opened: () => number;
  /** Lets those who wait, and all who come later, go on. */
  letGo(): void;
  /** Those who wait fail. */
  fail(error: unknown): void;
  /** Tells whoever reads how far it is, which nobody else does. */
  progress(completed: number, total: number): void;
}

export function heldReporting(reporting: ReportingApi): HeldReporting {
  const gate = Promise.withResolvers<void>();
  gate.promise.catch(() => {});
  const told: ((completed: number, total: number) => void)[] = [];
  let opened = 0;
  return {
    opened: () => opened,
    letGo: gate.resolve,
    fail: gate.reject,
    progress: (completed, total) => told.at(-1)?.(completed, total),
    reporting: {
      ...reporting,
      async open(request, statistics, reading) {
        opened += 1;
        const { onProgress, signal } = reading ?? {};
        if (onProgress !== undefined) told.push(onProgress);
        const reader = await reporting.open(request, statistics, signal === undefined ? {} : { signal });
        const aborted = Promise.withResolvers<never>();
        aborted.promise.catch(() => {});
        signal?.addEventListener('abort', () => aborted.reject(signal.reason));
        return {
          ...reader,
          async *lines() {
            yield* reader.lines();
            await Promise.race([gate.promise, aborted.promise]);
            signal?.throwIfAborted();
          },
        };
      },
    },
  };
}
