import type { EcbDimension, EcbFlow } from './ecb-server.ts';

// Structure messages as the ECB writes them: prefixed elements, references without a prefix, all codes of a list.

const NAMESPACES = [
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:mes="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"',
  'xmlns:str="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure"',
  'xmlns:com="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common"',
].join(' ');

/** Formats the reply to a request for data flows. */
export function formatFlows(flows: readonly EcbFlow[]): string {
  const entries = flows.map(
    ({ id, name, structure, agency = 'ECB' }) => `
      <str:Dataflow ${named('datastructure.Dataflow', 'ECB', id)}>
        ${formatName(name)}
        <str:Structure>
          <Ref package="datastructure" agencyID="${agency}" id="${structure}" version="1.0" class="DataStructure"/>
        </str:Structure>
      </str:Dataflow>`,
  );
  return formatMessage(`<str:Dataflows>${entries.join('')}
    </str:Dataflows>`);
}

/** Formats the reply to a request for a data structure with its children: code lists and concepts. */
export function formatStructure(flow: EcbFlow & { readonly attributes: readonly string[] }): string {
  const { name, structure, agency = 'ECB', dimensions, attributes } = flow;
  const codeLists = new Map(dimensions.map((dimension) => [dimension.codeList, dimension]));
  return formatMessage(`<str:Codelists>${[...codeLists.values()].map(formatCodeList).join('')}
    </str:Codelists>
    <str:Concepts>
      <str:ConceptScheme ${named('conceptscheme.ConceptScheme', 'ECB', 'ECB_CONCEPTS')}>
        ${formatName('ECB concepts')}${dimensions.map(formatConcept).join('')}
      </str:ConceptScheme>
    </str:Concepts>
    <str:DataStructures>
      <str:DataStructure ${named('datastructure.DataStructure', agency, structure)}>
        ${formatName(name)}
        <str:DataStructureComponents>
          <str:DimensionList id="DimensionDescriptor">${dimensions.map(formatDimension).join('')}
            <str:TimeDimension id="TIME_PERIOD" position="${dimensions.length + 1}">
              ${formatIdentity('TIME_PERIOD')}
              <str:LocalRepresentation><str:TextFormat textType="ObservationalTimePeriod"/></str:LocalRepresentation>
            </str:TimeDimension>
          </str:DimensionList>
          <str:Group id="Group">
            <str:GroupDimension><str:DimensionReference><Ref id="FREQ"/></str:DimensionReference></str:GroupDimension>
          </str:Group>
          <str:AttributeList id="AttributeDescriptor">${attributes.map(formatAttribute).join('')}
          </str:AttributeList>
          <str:MeasureList id="MeasureDescriptor">
            <str:PrimaryMeasure id="OBS_VALUE">${formatIdentity('OBS_VALUE')}</str:PrimaryMeasure>
          </str:MeasureList>
        </str:DataStructureComponents>
      </str:DataStructure>
    </str:DataStructures>`);
}

function formatMessage(structures: string): string {
  return `<?xml version='1.0' encoding='UTF-8'?>
<mes:Structure ${NAMESPACES}>
  <mes:Header>
    <mes:ID>IDREF282261</mes:ID>
    <mes:Test>false</mes:Test>
    <mes:Prepared>2024-06-01T20:08:17</mes:Prepared>
    <mes:Sender id="ECB"/>
    <mes:Receiver id="not_supplied"/>
  </mes:Header>
  <mes:Structures>
    <str:OrganisationSchemes>
      <str:AgencyScheme ${named('base.AgencyScheme', 'SDMX', 'AGENCIES')}>
        ${formatName('SDMX Agency Scheme')}
        <str:Agency id="ECB">${formatName('European Central Bank')}</str:Agency>
      </str:AgencyScheme>
    </str:OrganisationSchemes>
    ${structures}
  </mes:Structures>
</mes:Structure>`;
}

function named(kind: string, agency: string, id: string): string {
  const urn = `urn:sdmx:org.sdmx.infomodel.${kind}=${agency}:${id}(1.0)`;
  return `urn="${urn}" isExternalReference="false" agencyID="${agency}" id="${id}" isFinal="false" version="1.0"`;
}

function formatName(text: string): string {
  return `<com:Name xml:lang="en">${escapeXml(text)}</com:Name>`;
}

function formatCodeList({ codeList, name, codes }: EcbDimension): string {
  const entries = Object.entries(codes).map(
    ([value, label]) => `
        <str:Code urn="urn:sdmx:org.sdmx.infomodel.codelist.Code=ECB:${codeList}(1.0).${value}" id="${value}">
          ${formatName(label)}
        </str:Code>`,
  );
  return `
      <str:Codelist ${named('codelist.Codelist', 'ECB', codeList)}>
        ${formatName(`${name} code list`)}${entries.join('')}
      </str:Codelist>`;
}

function formatConcept({ id, name }: EcbDimension): string {
  return `
        <str:Concept id="${id}">${formatName(name)}</str:Concept>`;
}

function formatDimension({ id, codeList }: EcbDimension, index: number): string {
  return `
            <str:Dimension id="${id}" position="${index + 1}">
              ${formatIdentity(id)}
              <str:LocalRepresentation>
                <str:Enumeration>
                  <Ref package="codelist" agencyID="ECB" id="${codeList}" version="1.0" class="Codelist"/>
                </str:Enumeration>
              </str:LocalRepresentation>
            </str:Dimension>`;
}

function formatIdentity(concept: string): string {
  const parent = 'maintainableParentID="ECB_CONCEPTS" package="conceptscheme" maintainableParentVersion="1.0"';
  return `<str:ConceptIdentity><Ref ${parent} agencyID="ECB" id="${concept}" class="Concept"/></str:ConceptIdentity>`;
}

function formatAttribute(id: string): string {
  return `
            <str:Attribute assignmentStatus="Mandatory" id="${id}">
              ${formatIdentity(id)}
              <str:AttributeRelationship><str:Dimension><Ref id="FREQ"/></str:Dimension></str:AttributeRelationship>
            </str:Attribute>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
