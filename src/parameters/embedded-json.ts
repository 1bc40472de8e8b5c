import { z } from 'zod';

/** JSON within a parameter. `what` tells what is allowed; a failure names the place within the JSON. */
export function embeddedJson<Schema extends z.ZodType>(schema: Schema, what: string) {
  return z
    .string()
    .transform((text, context): z.output<Schema> => {
      const parsed = schema.safeParse(parse(text));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const place = (issue?.path ?? []).map(String).join('.');
      const words =
        issue?.code === 'invalid_value'
          ? `: there ${issue.values.map(String).join(' or ')}; in all`
          : '; allowed:';
      context.addIssue(`is wrong${place === '' ? '' : ` at ${place}`}${words} ${what}`);
      return z.NEVER;
    })
    .meta({ type: 'string', contentMediaType: 'application/json' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
