import { z } from 'zod';
import type { ParameterSet } from '../../../model/parameter-set.ts';
import { readParameters } from '../../../parameters/saved-report.ts';

const isoInstant = z.iso
  .datetime({ offset: true })
  .transform((told) => Date.parse(told))
  .nullish();

const id = z.union([z.string(), z.number()]).transform(String);

const members = {
  id,
  name: z.string(),
  ownerId: z.string().nullish(),
  owner: z.unknown().optional(),
  public: z.boolean().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  createdAt: isoInstant,
  updatedAt: isoInstant,
};

/** A set as it is told; who owns it the product calls so in lists, and times it does not tell. */
export const parameterSetAnswer = z.object(members).transform(
  ({ ownerId, owner, public: isPublic, parameters, createdAt, updatedAt, ...told }): ParameterSet => ({
    ...told,
    ownerId: ownerId ?? (typeof owner === 'string' ? owner : ''),
    public: isPublic ?? false,
    report: readParameters(parameters ?? {}),
    createdAt: createdAt ?? 0,
    updatedAt: updatedAt ?? createdAt ?? 0,
  }),
);

const page = z.object({ total: z.number().nullish(), last: z.boolean().nullish() });
const list = z.array(parameterSetAnswer);

/** A bare list, or a page of it under one of the names that clients read. */
export const parameterSetsAnswer = z.union([
  list.transform((sets) => ({ sets, total: sets.length })),
  page
    .extend({ parameterSets: list })
    .transform(({ parameterSets: sets, total, last }) => ({ sets, total: totalOf(sets, total, last) })),
  page
    .extend({ elements: list })
    .transform(({ elements: sets, total, last }) => ({ sets, total: totalOf(sets, total, last) })),
]);

/** Of a page that tells no total more is to come unless it says that it is the last. */
function totalOf(
  sets: readonly ParameterSet[],
  total: number | null | undefined,
  last: boolean | null | undefined,
): number {
  if (last === true) return sets.length;
  return total ?? (last === false ? Number.POSITIVE_INFINITY : sets.length);
}
