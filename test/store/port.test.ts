import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import { expect, test } from '#jest';

const folder = fileURLToPath(new URL('../../src/store', import.meta.url));

/** The function members of the interfaces that the files of the port export, as `Interface.member`. */
const members = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
    return program.body.flatMap((statement) => {
      if (statement.type !== 'ExportNamedDeclaration') return [];
      const { declaration } = statement;
      if (declaration?.type !== 'TSInterfaceDeclaration') return [];
      const { name } = declaration.id;
      return declaration.body.body.flatMap((member) => {
        const isFunction =
          member.type === 'TSMethodSignature' ||
          (member.type === 'TSPropertySignature' &&
            member.typeAnnotation?.typeAnnotation.type === 'TSFunctionType');
        return isFunction && member.key.type === 'Identifier' ? [`${name}.${member.key.name}`] : [];
      });
    });
  });

test('the port of the store has 89 functions at most', () => {
  expect(members).toEqual(
    expect.arrayContaining(['Documents.change', 'IssueStore.putIssues', 'Store.close']),
  );
  expect(members.slice(89)).toEqual([]);
});
