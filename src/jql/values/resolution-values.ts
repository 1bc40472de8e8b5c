import type { Compilation } from '../compilation.ts';
import { namedValues } from './named-values.ts';
import type { Values } from './values.ts';

/** Resolutions by name or id; as in Jira, `Unresolved` is another word for EMPTY. */
export function resolutionValues(compilation: Compilation): Values {
  return {
    ...namedValues({ title: 'resolution', fields: ['resolution'] }, compilation),
    meansEmpty: (asked) => asked.kind === 'value' && asked.text.trim().toLowerCase() === 'unresolved',
  };
}
