import type { z } from 'zod';
import { badRequest } from '../model/error.ts';

/**
 * Query parameters, checked. Names are matched without regard to case and lists may be repeated or separated by
 * commas, as existing clients do both. A parameter this route does not know is left alone: clients of the
 * compatible product send them.
 */
export function readQuery<Schema extends z.ZodObject>(query: object, schema: Schema): z.output<Schema> {
  const canonical = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
  const given: Record<string, string> = {};
  for (const [spelled, value] of Object.entries(query)) {
    const name = canonical.get(spelled.toLowerCase());
    if (name === undefined) continue;
    const texts = (Array.isArray(value) ? value : [value]).map((one: unknown) => {
      if (typeof one !== 'string') throw badRequest(`${name} must be plain text.`);
      return one;
    });
    const before = given[name];
    given[name] = (before === undefined ? texts : [before, ...texts]).join(',');
  }
  // An empty parameter says no more than an absent one.
  const filled = Object.fromEntries(Object.entries(given).filter(([, text]) => text.trim() !== ''));
  const parsed = schema.safeParse(filled);
  if (parsed.success) return parsed.data;
  throw badRequest(
    ...parsed.error.issues.map((issue) => {
      const name = issue.path.map(String).join('.');
      const value = filled[name];
      return value === undefined ? `${name} is required.` : `${name} '${value}' ${issue.message}.`;
    }),
  );
}
