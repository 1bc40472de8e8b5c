import type { PlainTextOption } from '@slack/types';
import { limits } from '../block-kit/limits.ts';
import { shorten } from '../block-kit/shorten.ts';

/** A choice of a menu: what it is called, and its value. */
export type Choice = readonly [title: string, value: string];

/** Choices as options, without those that no menu can hold. */
export function optionsOf(choices: readonly Choice[]): PlainTextOption[] {
  return choices
    .filter(([, value]) => value.trim() !== '' && value.length <= limits.option.value)
    .map(([title, value]) => {
      const text = shorten(title.replaceAll(/\s+/g, ' ').trim(), limits.option.text);
      return {
        text: { type: 'plain_text', text: text === '' ? shorten(value, limits.option.text) : text },
        value,
      };
    });
}
