import { z } from 'zod';
import { expect, test } from '#jest';

// The process of the suites resolves what they import as Dwell itself does.
test('modules of packages are found where the packages are: the words of zod in other languages are not loaded', () => {
  expect(Object.keys(z.locales)).toEqual([]);
});
