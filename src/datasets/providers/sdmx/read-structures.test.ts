import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '../../../platform/index.ts';
import { readStructures } from './read-structures.ts';

const read = (structures: string) => {
  return readStructures('ecb', Buffer.from(`<m:Structure><m:Structures>${structures}</m:Structures></m:Structure>`));
};
const list = (codes: string, id = 'CL_A') =>
  `<s:Codelists><s:Codelist agencyID="ECB" id="${id}" version="2.0">${codes}</s:Codelist></s:Codelists>`;
const structure = (dimensions: string) =>
  `<s:DataStructures><s:DataStructure agencyID="ESTAT" id="NA" version="1.0"><s:DataStructureComponents>
  <s:DimensionList>${dimensions}</s:DimensionList></s:DataStructureComponents></s:DataStructure></s:DataStructures>`;
const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';

test('prefers English names, then the first one, then the id', async () => {
  const { codeLists } = await read(
    list(`<s:Name>List</s:Name>
      <s:Code id="1"><c:Name xml:lang="de">Eins</c:Name><c:Name xml:lang="en">One  of
      them</c:Name><c:Name xml:lang="en">Uno</c:Name></s:Code>
      <s:Code id="2"><c:Name xml:lang="fr">Deux</c:Name><c:Name xml:lang="de">Zwei</c:Name></s:Code>
      <s:Code id="3"><c:Name>Three</c:Name><c:Description>A number</c:Description></s:Code>
      <s:Code id="4"><c:Name xml:lang="en"> </c:Name></s:Code>`),
  );
  assert.deepEqual(
    codeLists.get('ECB:CL_A(2.0)')?.map(({ value, label }) => `${value} ${label}`),
    ['1 One of them', '2 Deux', '3 Three', '4 4'],
  );
});

test('orders dimensions by position and leaves out time and references to dimensions', async () => {
  const { structures } = await read(
    structure(`<s:Dimension id="B" position="2"/><s:TimeDimension id="T" position="3"/>
      <s:Dimension id="A" position="1"><s:ConceptIdentity><Ref agencyID="SDMX" maintainableParentID="CS"
      maintainableParentVersion="1.0" id="X"/></s:ConceptIdentity><s:LocalRepresentation><s:Enumeration><Ref
      agencyID="ECB" id="CL_A" version="2.0"/></s:Enumeration></s:LocalRepresentation></s:Dimension>
      </s:DimensionList><s:AttributeList><s:Attribute id="U"><s:AttributeRelationship><s:Dimension><Ref id="B"/>
      </s:Dimension></s:AttributeRelationship></s:Attribute></s:AttributeList><s:DimensionList>`),
  );
  assert.deepEqual(structures, [
    {
      agency: 'ESTAT',
      id: 'NA',
      version: '1.0',
      dimensions: [
        { id: 'A', concept: 'SDMX:CS(1.0).X', codeList: 'ECB:CL_A(2.0)' },
        { id: 'B', concept: null, codeList: null },
      ],
      attributes: new Set(['U']),
    },
  ]);
});

test('reads the code list of a concept, and data flows with their structures', async () => {
  const { concepts, flows } = await read(`<s:Concepts><s:ConceptScheme agencyID="SDMX" id="CS" version="1.0">
    <s:Concept id="X"><c:Name>Area</c:Name><s:CoreRepresentation><s:Enumeration><Ref agencyID="ECB" id="CL_A"/>
    </s:Enumeration></s:CoreRepresentation></s:Concept></s:ConceptScheme></s:Concepts>
    <s:Dataflows><s:Dataflow agencyID="ECB" id="EXR"/><s:Dataflow agencyID="ECB" id="MNA" version="1.0">
    <c:Name>Accounts</c:Name><s:Structure><Ref agencyID="ESTAT" id="NA" version="1.0"/></s:Structure></s:Dataflow>
    </s:Dataflows>`);
  assert.deepEqual([...concepts], [['SDMX:CS(1.0).X', { label: 'Area', codeList: 'ECB:CL_A(1.0)' }]]);
  assert.deepEqual(flows, [
    { agency: 'ECB', id: 'EXR', version: '1.0', label: 'EXR', structure: null },
    {
      agency: 'ECB',
      id: 'MNA',
      version: '1.0',
      label: 'Accounts',
      structure: { agency: 'ESTAT', id: 'NA', version: '1.0' },
    },
  ]);
});

test('leaves out data flows without a valid name, and references that are paths', async () => {
  const { flows } = await read(`<s:Dataflows><s:Dataflow agencyID=".." id="A"/><s:Dataflow agencyID="ECB" id="a/b"/>
    <s:Dataflow agencyID="ECB" id="B" version=".."/><s:Dataflow agencyID="ECB"/><s:Dataflow agencyID="ECB" id="C">
    <s:Structure><Ref agencyID="ECB" id="../D" version="1.0"/></s:Structure></s:Dataflow></s:Dataflows>`);
  assert.deepEqual(flows, [{ agency: 'ECB', id: 'C', version: '1.0', label: 'C', structure: null }]);
});

test('cuts a very long name, and does not split a character', async () => {
  const name = `${'x'.repeat(1_999)}😀${'y'.repeat(100_000)}`;
  const { codeLists } = await read(list(`<s:Code id="1"><c:Name>${name}</c:Name></s:Code>`));
  const label = codeLists.get('ECB:CL_A(2.0)')?.[0]?.label;
  assert.equal(label, `${'x'.repeat(1_999)}\ufffd`);
});

const REFUSED: Readonly<Record<string, string>> = {
  'a code without an id': list('<s:Code/>'),
  'an id with other characters': list('<s:Code id="a+b"/>'),
  'a code list twice': list('') + list(''),
  'a dimension twice': structure('<s:Dimension id="A" position="1"/><s:Dimension id="A" position="2"/>'),
  'a position twice': structure('<s:Dimension id="A" position="1"/><s:Dimension id="B" position="1"/>'),
  'a position that is not a number': structure('<s:Dimension id="A" position="first"/>'),
  'a structure whose agency is a path': structure('').replace('agencyID="ESTAT"', 'agencyID=".."'),
  'a cut message': '<s:Codelists>',
};

for (const [name, structures] of Object.entries(REFUSED)) {
  test(`refuses ${name}`, async () => {
    await assert.rejects(read(structures), isMalformed);
  });
}

test('refuses a document that is not a structure message', async () => {
  for (const document of ['<html/>', '<m:GenericData/>', '', '{}']) {
    await assert.rejects(readStructures('ecb', Buffer.from(document)), isMalformed, document);
  }
});
