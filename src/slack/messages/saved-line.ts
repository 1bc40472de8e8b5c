import { lineText } from '../../block-kit/code-text.ts';

/** Longer names nobody types, and a line that holds them would be cut. */
export const LONGEST_SET_NAME = 150;

/** Why a parameter set is not to be called so; null: nothing is wrong with the name. */
export function whyBadSetName(name: string): string | null {
  const wrong =
    name.length > LONGEST_SET_NAME
      ? `This name has ${name.length} characters`
      : /[`\r\n\u2028\u2029]/.test(name)
        ? 'A backtick or a line break is in this name'
        : null;
  return wrong === null
    ? null
    : `${wrong}; allowed: at most ${LONGEST_SET_NAME} characters without backticks and line breaks, so that it can be typed.`;
}

/** `/tis saved NAME` as code (mrkdwn), as it is to be typed: a name from right to left is kept apart, not the line. */
export function savedLine(name: string): string {
  return `\`/tis saved ${lineText(name).slice(1, -1)}\``;
}
