import { describe, expect, test } from '#jest';
import { checkView } from '../../src/block-kit/check-view.ts';
import { limits } from '../../src/block-kit/limits.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const modal = (more: object = {}) => ({ type: 'modal', title: plain('x'), blocks: [], ...more });
const input = { type: 'input', label: plain('x'), element: { type: 'plain_text_input' } };

describe('checkView', () => {
  test.each([
    ['title', limits.view.title, (size: number) => modal({ title: plain('x'.repeat(size)) })],
    ['submit', limits.view.submit, (size: number) => modal({ submit: plain('x'.repeat(size)) })],
    ['close', limits.view.close, (size: number) => modal({ close: plain('x'.repeat(size)) })],
    [
      'private_metadata',
      limits.view.privateMetadata,
      (size: number) => modal({ private_metadata: 'x'.repeat(size) }),
    ],
    ['callback_id', limits.view.callbackId, (size: number) => modal({ callback_id: 'x'.repeat(size) })],
    [
      'Home private_metadata',
      limits.view.privateMetadata,
      (size: number) => ({ type: 'home', blocks: [], private_metadata: 'x'.repeat(size) }),
    ],
  ])('%s: takes %i characters and no more', (_, most, make) => {
    expect(checkView(make(most))).toEqual([]);
    expect(checkView(make(most + 1))).not.toEqual([]);
  });

  test('wants a submit button where something is entered', () => {
    expect(checkView(modal({ blocks: [input] }))).toMatchObject([{ path: '/submit' }]);
    expect(checkView(modal({ blocks: [input], submit: plain('Go') }))).toEqual([]);
  });

  test.each([
    ['no title', { type: 'modal', blocks: [] }, '/title'],
    ['a Home tab with a title', { type: 'home', blocks: [], title: plain('x') }, '/title'],
    ['no blocks', { type: 'home' }, '/blocks'],
    ['another type', { type: 'message', blocks: [] }, '/type'],
    ['a wrong block', modal({ blocks: [{ type: 'table', rows: [] }] }), '/blocks/0/type'],
    ['no view', null, ''],
  ])('refuses %s', (_, view, path) => {
    expect(checkView(view)).toContainEqual(expect.objectContaining({ path }));
  });
});
