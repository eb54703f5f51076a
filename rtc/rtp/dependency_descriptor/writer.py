"""Dependency Descriptors to bytes (appendix A.8.2): the template that needs the fewest custom fields, then those."""

from rtc.rtp.dependency_descriptor.bits import BitWriter
from rtc.rtp.dependency_descriptor.values import DependencyDescriptor, DependencyStructure, FrameTemplate
from rtc.values.errors import LocalMisuse

MAX_FRAME_DIFF = 4096
"""12 bits, from 1: the oldest frame a descriptor can refer to."""
_TEMPLATE_IDS = 64
_NEXT_LAYER_STEPS = {(0, 0): 0, (0, 1): 1}
_NEW_SPATIAL = 2
_NO_MORE_LAYERS = 3
_MAX_TARGETS = 32


def write_descriptor(descriptor: DependencyDescriptor, structure: DependencyStructure) -> bytes:
    """The header extension element for a packet; `structure` is the one in force for its frame.

    Three bytes when a template says it all. Raises LocalMisuse when the frame cannot be described: no template of its
    layers, or a reference more than 4096 frames back.
    """
    if descriptor.structure is not None and descriptor.structure != structure:
        raise LocalMisuse("descriptor carries another structure than the one in force: they must be the same")
    index = _best_template(descriptor, structure)
    template = structure.templates[index]
    bits = BitWriter()
    bits.fixed(1, descriptor.starts_frame)
    bits.fixed(1, descriptor.ends_frame)
    bits.fixed(6, (structure.template_id_offset + index) % _TEMPLATE_IDS)
    bits.fixed(16, descriptor.frame_number)
    custom = _custom_fields(descriptor, template)
    if descriptor.structure is not None or descriptor.active_decode_targets is not None or any(custom):
        _write_extended(bits, descriptor, structure, custom)
    return bits.to_bytes()


def _write_extended(
    bits: BitWriter,
    descriptor: DependencyDescriptor,
    structure: DependencyStructure,
    custom: tuple[bool, bool, bool],
) -> None:
    bits.fixed(1, descriptor.structure is not None)
    bits.fixed(1, descriptor.active_decode_targets is not None)
    for flag in custom:
        bits.fixed(1, flag)
    if descriptor.structure is not None:
        _write_structure(bits, structure)
    if descriptor.active_decode_targets is not None:
        bits.fixed(structure.decode_target_count, descriptor.active_decode_targets)
    custom_indications, custom_diffs, custom_chains = custom
    if custom_indications:
        for indication in descriptor.indications:
            bits.fixed(2, indication.value)
    if custom_diffs:
        _write_frame_diffs(bits, descriptor.frame_diffs)
    if custom_chains:
        for diff in descriptor.chain_diffs:
            bits.fixed(8, diff)


def _custom_fields(descriptor: DependencyDescriptor, template: FrameTemplate) -> tuple[bool, bool, bool]:
    """Which of indications, frame diffs and chain diffs the template does not give."""
    return (
        descriptor.indications != template.indications,
        descriptor.frame_diffs != template.frame_diffs,
        descriptor.chain_diffs != template.chain_diffs,
    )


def _best_template(descriptor: DependencyDescriptor, structure: DependencyStructure) -> int:
    if (
        len(descriptor.indications) != structure.decode_target_count
        or len(descriptor.chain_diffs) != structure.chain_count
    ):
        raise LocalMisuse(
            f"descriptor with {len(descriptor.indications)} indications and {len(descriptor.chain_diffs)} chain diffs: "
            f"the structure has {structure.decode_target_count} decode targets and {structure.chain_count} chains"
        )
    layers = (descriptor.spatial_layer, descriptor.temporal_layer)
    candidates = [
        (_custom_bits(descriptor, template), -index)
        for index, template in enumerate(structure.templates)
        if (template.spatial_layer, template.temporal_layer) == layers
    ]
    if not candidates:
        raise LocalMisuse(f"spatial and temporal layer {layers}: the structure has no template for them")
    # Among equals the last: the first template of a layer is the key frame's, and a recovery frame is none.
    return -min(candidates)[1]


def _custom_bits(descriptor: DependencyDescriptor, template: FrameTemplate) -> int:
    custom_indications, custom_diffs, custom_chains = _custom_fields(descriptor, template)
    cost = 2 * len(descriptor.indications) if custom_indications else 0
    if custom_diffs:
        cost += 2 + sum(2 + 4 * _nibbles(diff) for diff in descriptor.frame_diffs)
    if custom_chains:
        cost += 8 * len(descriptor.chain_diffs)
    return cost


def _nibbles(diff: int) -> int:
    """How many times 4 bits a custom frame diff takes, 1..3."""
    if not 1 <= diff <= MAX_FRAME_DIFF:
        raise LocalMisuse(f"reference {diff} frames back: a dependency descriptor can say 1..{MAX_FRAME_DIFF}")
    return max(1, ((diff - 1).bit_length() + 3) // 4)


def _write_frame_diffs(bits: BitWriter, diffs: tuple[int, ...]) -> None:
    for diff in diffs:
        bits.fixed(2, _nibbles(diff))
        bits.fixed(4 * _nibbles(diff), diff - 1)
    bits.fixed(2, 0)


def _write_structure(bits: BitWriter, structure: DependencyStructure) -> None:
    _check_structure(structure)
    templates, targets, chains = structure.templates, structure.decode_target_count, structure.chain_count
    bits.fixed(6, structure.template_id_offset)
    bits.fixed(5, targets - 1)
    _write_layers(bits, templates)
    for template in templates:
        for indication in template.indications:
            bits.fixed(2, indication.value)
    for template in templates:
        for diff in template.frame_diffs:
            bits.fixed(1, 1)
            bits.fixed(4, diff - 1)
        bits.fixed(1, 0)
    bits.non_symmetric(targets + 1, chains)
    for chain in structure.protected_by:
        bits.non_symmetric(chains, chain)
    for template in templates:
        for diff in template.chain_diffs:
            bits.fixed(4, diff)
    bits.fixed(1, len(structure.resolutions) > 0)
    for width, height in structure.resolutions:
        bits.fixed(16, width - 1)
        bits.fixed(16, height - 1)


def _write_layers(bits: BitWriter, templates: tuple[FrameTemplate, ...]) -> None:
    """How each template's layers follow from those of the one before (table A.2)."""
    previous = templates[0]
    for template in templates[1:]:
        spatial_step = template.spatial_layer - previous.spatial_layer
        step = _NEXT_LAYER_STEPS.get((spatial_step, template.temporal_layer - previous.temporal_layer))
        if (spatial_step, template.temporal_layer) == (1, 0):
            step = _NEW_SPATIAL
        if step is None:
            raise LocalMisuse("dependency templates out of order: each is of its predecessor's layers or of the next")
        bits.fixed(2, step)
        previous = template
    bits.fixed(2, _NO_MORE_LAYERS)


def _check_structure(structure: DependencyStructure) -> None:
    templates, targets, chains = structure.templates, structure.decode_target_count, structure.chain_count
    first, last = templates[0], templates[-1]
    if (first.spatial_layer, first.temporal_layer) != (0, 0) or len(templates) > _TEMPLATE_IDS:
        raise LocalMisuse(f"{len(templates)} dependency templates: at most {_TEMPLATE_IDS}, from layers (0, 0) upwards")
    if any((len(each.indications), len(each.chain_diffs)) != (targets, chains) for each in templates):
        raise LocalMisuse("dependency templates differ in decode targets or chains: all must have the same number")
    if not 1 <= targets <= _MAX_TARGETS or len(structure.protected_by) != (targets if chains else 0):
        raise LocalMisuse(f"{targets} decode targets: must be 1..{_MAX_TARGETS}, each with a chain if there are chains")
    if len(structure.resolutions) not in (0, last.spatial_layer + 1):
        raise LocalMisuse(f"{len(structure.resolutions)} resolutions: one for each of {last.spatial_layer + 1} layers")
