import type { FieldContent, FieldValue } from '../../model/issue.ts';

/** The values a field's content consists of; a text is one that is called like itself, a number none. */
export function valuesIn(content: FieldContent | undefined): readonly FieldValue[] {
  if (content === null || content === undefined || typeof content === 'number') return [];
  if (typeof content === 'string') return [{ id: content, name: content }];
  return 'length' in content ? content : [content];
}
