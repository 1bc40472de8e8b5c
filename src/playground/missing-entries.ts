import { isJson, type Json } from './json.ts';

/** What Slack's client says, by `block_id`, before it even asks the app. */
export function missingEntries(
  blocks: readonly Json[],
  values: Readonly<Record<string, Readonly<Record<string, Json>>>>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input' || !isJson(block.element)) continue;
    const blockId = String(block.block_id);
    const state = values[blockId]?.[String(block.element.action_id)];
    const complaint = state && complain(block.element, state, block.optional === true);
    if (complaint) errors[blockId] = complaint;
  }
  return errors;
}

function complain(element: Json, { type: _, ...state }: Json, optional: boolean): string | undefined {
  const [value] = Object.values(state);
  const empty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (empty) return optional ? undefined : 'Please complete this required field.';
  if (typeof value !== 'string') return undefined;
  const least = Number(element.min_length ?? 0);
  if (value.length < least) return `Please enter at least ${least} characters.`;
  if (value.length > Number(element.max_length ?? Number.POSITIVE_INFINITY))
    return `Please enter no more than ${element.max_length} characters.`;
  if (element.type === 'number_input') return complainNumber(element, value);
  if (element.type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(value))
    return 'Please enter a valid email address.';
  if (element.type === 'url_text_input' && !URL.canParse(value)) return 'Please enter a valid URL.';
  return undefined;
}

function complainNumber(element: Json, value: string): string | undefined {
  const number = Number(value);
  if (Number.isNaN(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (element.min_value !== undefined && number < Number(element.min_value))
    return `Please enter a number of at least ${element.min_value}.`;
  if (element.max_value !== undefined && number > Number(element.max_value))
    return `Please enter a number of at most ${element.max_value}.`;
  return undefined;
}
