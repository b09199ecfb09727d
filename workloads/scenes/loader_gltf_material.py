# SPDX-License-Identifier: Apache-2.0
"""Materials of glTF files: base colour, its image and texture coordinates, wrap modes, alpha mode."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utils.errors import shortened, shown
from workloads.scenes.loader_gltf_file import GltfFile, Tree
from workloads.scenes.loader_part import GREY, ImageFile, Look
from workloads.scenes.scene import BLEND, CLAMP, MIRROR, OPAQUE, REPEAT

_WRAP = {10497: REPEAT, 33071: CLAMP, 33648: MIRROR}  # glTF 2.0, 5.26 (the values are OpenGL's)
_IMAGES = ("EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds")  # textures in other formats
_BASE = ("baseColorTexture", "diffuseTexture")


class Material(NamedTuple):
    """An ``image``, or one ``colour``; coordinates are TEXCOORD_n of ``uv_set`` n, moved by ``transform``."""

    look: Look = Look()
    image: ImageFile | None = None
    colour: tuple[int, int, int] = GREY
    uv_set: int = 0
    transform: NDArray[np.float64] = np.eye(2, 3)


def read_material(file: GltfFile, number: int | None, where: str, notes: list[str]) -> Material:
    """The material ``number`` that a primitive names. Raises :class:`UserError`."""
    if number is None:
        return Material()
    material = file.entry("materials", number, where)
    where = f"materials.{number}"
    base, texture = material.get("pbrMetallicRoughness", {}), "baseColorTexture"
    factor = "baseColorFactor"
    glossy = material.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness")
    if glossy is not None:
        base, texture, factor = glossy, "diffuseTexture", "diffuseFactor"
    colour = np.rint(np.clip(file.numbers(base, factor, where, [1.0] * 4), 0, 1) * 255).astype(int)
    red, green, blue = colour[:3].tolist()
    look = Look(
        draw=OPAQUE if material.get("alphaMode", "OPAQUE") == "OPAQUE" else BLEND,
        two_sided=bool(material.get("doubleSided", False)),
    )
    if texture not in base:
        return Material(look, colour=(red, green, blue))
    info = base[texture]
    change = info.get("extensions", {}).get("KHR_texture_transform", {})
    uv_set = file.whole(info | change, "texCoord", where, 0)
    entry = file.entry("textures", info.get("index"), where)
    wraps = _wraps(file, entry, f"textures.{info['index']}")
    image = _image(file, entry, f"textures.{info['index']}", notes)
    look = look._replace(wrap_u=wraps[0], wrap_v=wraps[1])
    return Material(look, image, (red, green, blue), uv_set, _transform(file, change, where))


def _wraps(file: GltfFile, texture: Tree, where: str) -> list[int]:
    sampler = file.entry("samplers", texture["sampler"], where) if "sampler" in texture else {}
    wraps = [sampler.get(name, 10497) for name in ("wrapS", "wrapT")]
    for value in wraps:
        if value not in _WRAP:
            file.fail(where, f"unknown wrap mode {shown(value)} of its sampler")
    return [_WRAP[value] for value in wraps]


def _image(file: GltfFile, texture: Tree, where: str, notes: list[str]) -> ImageFile | None:
    """The image of a texture, None with a note if it is in a format that is not read."""
    sources = [texture, *(texture.get("extensions", {}).get(name, {}) for name in _IMAGES)]
    source = next((place["source"] for place in sources if "source" in place), None)
    if source is None:
        notes.append(f"{where}: has no image in a format that is read; drawn in the colour of the material")
        return None
    image = file.entry("images", source, where)
    here = f"images.{source}"
    name = image.get("name")
    content: Path | bytes
    if "bufferView" in image:
        content = bytes(file.view(image["bufferView"], here)[0])
    else:
        content = file.content(image["uri"], here)
        if isinstance(content, Path):
            name = content.stem
    name = shortened(str(name or f"image{source}"))
    return ImageFile(source, name, f"{file.path}: {here}", content)


def _transform(file: GltfFile, change: Tree, where: str) -> NDArray[np.float64]:
    """Matrix [2, 3] of KHR_texture_transform: scaled, turned counterclockwise (v is downwards), moved."""
    scale = file.numbers(change, "scale", where, [1.0, 1.0])
    offset = file.numbers(change, "offset", where, [0.0, 0.0])
    angle = file.numbers(change, "rotation", where, 0.0)
    cosine, sine = np.cos(angle), np.sin(angle)
    turned = np.array([[cosine, sine], [-sine, cosine]]) * scale
    return np.concatenate([turned, offset[:, None]], axis=1)


def other_textures(materials: Any) -> Iterator[str]:
    """Names of the textures of ``materials`` that are no base colour, as often as they come."""
    if isinstance(materials, dict):
        for key, value in materials.items():
            if key.endswith("Texture") and key not in _BASE:
                yield key
            yield from other_textures(value)
    elif isinstance(materials, list):
        for value in materials:
            yield from other_textures(value)
