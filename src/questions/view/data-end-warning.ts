import type { Instant } from '../../model/issue.ts';
import type { Provenance } from '../../model/table.ts';
import { dataEndsBefore } from '../figures/answer-provenance.ts';
import { type Said, say } from './wording.ts';

/** That the data does not reach as far as the question does, before anything else; nothing where it does. */
export function dataEndWarning(
  provenance: Pick<Provenance, 'asOf' | 'dataAsOf' | 'tracker'>,
  until: { readonly at: Instant; readonly called: string } | null = null,
): readonly Said[] {
  const end = dataEndsBefore(until?.at ?? null, provenance);
  if (end === null) return [];
  const before = until === null || until.at > provenance.asOf ? '' : `, before ${until.called}`;
  return [
    say(
      ({ date }) =>
        `The data ends on ${date(end)}${before}: what happened later is missing here. ${cureOf(provenance)}`,
    ),
  ];
}

function cureOf({ tracker }: Pick<Provenance, 'tracker'>): string {
  return tracker === 'file' ? 'Import anew.' : 'See with /tis status why nothing newer comes.';
}
