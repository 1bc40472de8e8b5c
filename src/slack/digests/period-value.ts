import { z } from 'zod';
import type { Instant } from '../../model/issue.ts';

/** A period of a digest, as a button carries it. */
interface PeriodName {
  readonly id: string;
  readonly due: Instant;
}

const name = z.tuple([z.string(), z.coerce.number()]);

/** As a button's value, and as the mark of its messages. */
export function writePeriod({ id, due }: PeriodName): string {
  return `${id} ${due}`;
}

/** From a button's value; only we write those. */
export function readPeriod(value: string): PeriodName {
  const [id, due] = name.parse(value.split(' '));
  return { id, due };
}
