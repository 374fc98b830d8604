# An overlay port, which builds the tree that it is in: vcpkg install bmo --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
vcpkg_configure_meson(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -Dtests=false -Dcommand=false -Djoined=true)
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(PACKAGE_NAME bmo CONFIG_PATH lib/cmake/bmo)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
